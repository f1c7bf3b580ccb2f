//! Secrets that only the words around them give away.

use super::*;

#[test]
fn a_secret_below_a_heading_that_says_so_is_found() {
    let (one, two) = (
        format!("Wq8{}", random(7, ALPHANUMERIC)),
        random(24, ALPHANUMERIC),
    );
    for (text, count) in [
        (
            format!("| host | Password |\n|---|:--|\n| a | {one} |\n| b | changeme |\n"),
            1,
        ),
        (
            format!(
                "> user | DB password | API token\n> --- | --- | ---\n> x | `{one}` | **{two}**"
            ),
            2,
        ),
        (
            format!("| Passwort |\n|---|\n| {one} |\n\n| a |\n|---|\n| Zx71b3Qw9 |"),
            1,
        ),
        (
            format!("| password hash | token type |\n|---|---|\n| {one} | {two} |"),
            0,
        ),
        (format!("| password |\n| {one} |"), 0),
        (
            "| field | password | token |\n|---|---|---|\n| length | 12-64 | 32 hex characters |"
                .to_owned(),
            0,
        ),
        (
            "| user | password |\n|---|---|\n| admin | required |\n| x | $DB_PASS1 |".to_owned(),
            0,
        ),
        (
            "| user | token |\n|---|---|\n| ci | secrets.CI_TOKEN_2 |\n| x | see-vault-entry-12 |"
                .to_owned(),
            0,
        ),
    ] {
        let hits = find(&text);
        assert_eq!(hits.len(), count, "{text}");
        let masked = mask(&text);
        for hit in hits {
            assert!(!masked.contains(&text[hit.at]), "{masked}");
        }
    }
}

#[test]
fn a_secret_below_a_heading_is_hidden_in_a_diff_without_it() {
    let secret = format!("Wq8{}", random(7, ALPHANUMERIC));
    let text = format!("| host | password |\n|---|---|\n| a | x |\n| b | {secret} |\n| c | y |\n");
    let part = format!("@@ -4,2 +4,2 @@\n | b | {secret} |\n-| c | y |\n+| c | z |\n");
    let masked = mask_diff(part.into_bytes(), &[text.clone().into_bytes()]);
    let masked = String::from_utf8(masked).unwrap();
    assert!(!masked.contains(&secret[3..]), "{masked}");
    let new: String = text.lines().map(|line| format!("+{line}\n")).collect();
    assert!(!mask(&new).contains(&secret[3..]), "{}", mask(&new));
}

#[test]
fn a_secret_is_found_in_the_sentences_of_several_languages() {
    let password = "Kx9vRt4mQz7w";
    let token = random(28, ALPHANUMERIC);
    for text in [
        format!("Zugang: Benutzer `deploy`, Passwort {password}."),
        format!("Le mot de passe du compte de service est : {password} (à changer)."),
        format!("La contraseña del usuario `backup` es {password}."),
        format!("A senha do banco é {password}"),
        format!("Mot de passe: {password}"),
        format!("The password for `deploy` is {password}"),
        format!("The API token for the staging mail service is {token}."),
        format!("API key of the sandbox: {token}"),
        format!("Der API-Schlüssel für den Testserver lautet {token}"),
        format!("sshpass -p '{password}' ssh deploy@host"),
        format!("mysql -u root -p{password} shop"),
        format!("docker login -u acme -p {password} registry.acme.io"),
        format!("[smtp]\nuser = robot\npass = {password}"),
        format!("Login for the demo: `admin` / `{password}`"),
        format!("tool login --user x --password {password}"),
        "KC fresh-boot admin **pw** = `Kx7_boot#2026qZ`.".to_owned(),
        format!("pw: {password}"),
        format!("ADMIN_PW={password}"),
        format!("pwd: {password}"),
        format!("pass: {password}"),
        format!("数据库密码：{password}"),
        format!("- **密码**: `{password}`"),
        format!("测试环境的密码是 {password}，不要外传"),
        format!("管理者パスワードは「{password}」です"),
        format!("관리자 비밀번호: {password}"),
        format!("Пароль от стенда: {password}"),
        format!("пароль администратора — {password}"),
        format!("Kennwort des Testservers: {password}"),
        format!("Senha: {password}"),
        format!("API 密钥：{token}"),
        format!("Ключ API: {token}"),
        format!("APIキー：{token}"),
        "Test login (staging): admin@shop.example.io / Firewall-4417x".to_owned(),
        "qa@acme.io / kestrel88vane9".to_owned(),
    ] {
        assert_eq!(find(&text).len(), 1, "{text}");
    }
    for text in [
        "Das Passwort wird nie gespeichert; Passwort vergessen führt auf `/reset`.",
        "Le mot de passe est obligatoire et doit avoir 12 caractères.",
        "La contraseña es obligatoria.",
        "The password PasswordReset2024Form is shown in.",
        "Password Sha256Hasher is the class.",
        "The token for the next page is cursor-based and stands in the body.",
        "The API key for staging is in the vault, entry mail/staging.",
        "API key of the sandbox: ask the platform team",
        "mysql -u root -p shop; mysql -h db -port=3306x -p$PASS1",
        "tool login --password $DEPLOY_PASS1 or --password=<password1>",
        "first pass: 12-rows of the table\npass = number2\npass: all3",
        "user / admin roles; root /var/lib2; login / logout2 pages; admin / editor / viewer",
        "redis-cli -a \"$REDIS_PASS1\" ping",
        "密码：至少8个字符，包含数字",
        "密码: bcrypt (cost 12)",
        "パスワードは8文字以上です",
        "비밀번호: 최소 8자",
        "Пароль: не короче 12 символов",
        "ключ кэша: user:{id}:v2",
        "密钥: 从 `ANTHROPIC_API_KEY` 读取",
        "キー: Ctrl+Shift+F12 で開く",
        "pw = password",
        "PW: see the vault, entry shop/admin",
        "pw reset mails are sent twice",
        "Unit tests log in with `test@shop.test` / `password123`.",
        "author@example.org / maintainer",
        "noreply@acme.io / release-2024 notes",
    ] {
        assert!(find(text).is_empty(), "{text}");
    }
}

#[test]
fn a_key_is_found_by_the_words_that_say_what_it_is_for() {
    let key = random(32, ALPHANUMERIC);
    let short = random(16, ALPHANUMERIC);
    for text in [
        format!("The key for the maps service is {key}"),
        format!("Key of the mail gateway: `{key}`"),
        format!("- Our key to the weather feed is: {key}."),
        format!("Integration key for staging: {key}"),
        format!("PagerDuty integration key: {key}"),
        format!("Integration key (staging): {key}"),
        format!("license key: {key}"),
        format!("Licence-Key = {short}"),
        format!("Signing key is {key}"),
        format!("Signing Key: {short}"),
        format!("**Encryption key:** `{key}`"),
        format!("Encryption key: {key}"),
        format!("ENCRYPTION KEY={short}"),
        format!("encryption_key={short}"),
        format!("The session key of staging is {key}"),
        format!("Our private key is {key}"),
        format!("access key: {short}"),
        format!("secret key => {short}"),
        format!("master key: \"{short}\""),
        format!("webhook signing secret: {key}"),
        format!("Sentry auth token {key}"),
        format!("Use the deploy key `{key}` in CI."),
        format!("| service | Integration key |\n|---|---|\n| pager | {key} |"),
    ] {
        let hits = find(&text);
        assert_eq!(hits.len(), 1, "{text}");
        let masked = mask(&text);
        assert!(!masked.contains(&text[hits[0].at.clone()]), "{masked}");
    }
    let hash = random(40, HEX);
    for text in [
        "The key for the order is its number, order-2026-01, in every table.".to_owned(),
        format!("cache key: {hash}"),
        format!("The cache key of the page is {hash}"),
        format!("The public key of the host is {key}"),
        format!("Primary key: {hash}"),
        format!("idempotency key = {hash}"),
        "Signing key: rotated every 90 days by the vault.".to_owned(),
        "The encryption key is in the vault under shop/2026/payments.".to_owned(),
        "Encryption key: AES-256-GCM with 96-bit nonces".to_owned(),
        "license key: ask-the-platform-team-2026".to_owned(),
        "Integration key: PAGERDUTY_INTEGRATION_KEY_2 in the environment".to_owned(),
        "The key for retries is exponential-backoff-with-jitter-v2".to_owned(),
        "The key of the bucket is uploads/2026/01/receipts-of-orders".to_owned(),
        "The token Base64UrlSafeEncoder2 is made of 3 parts".to_owned(),
        "Session key `user:2026:cart` holds the cart.".to_owned(),
        "Write key events into src/events/v2/keyboard.ts".to_owned(),
        "The secret shop-production-secrets-2024-eu is mounted.".to_owned(),
        "App key bindings: Ctrl1, Ctrl2 and Ctrl3 switch the panes".to_owned(),
        format!("The token parser of {hash} was slow."),
        "Routing key: orders.created.v2".to_owned(),
    ] {
        let hits = find(&text);
        assert!(hits.is_empty(), "{text}");
    }
}

#[test]
fn what_looks_random_beside_a_secret_is_not_shown_either() {
    let [one, two] = [random(32, ALPHANUMERIC), random(30, UPPER)];
    let text = format!("{two} is set as PD_TOKEN={one}; see src/pager/v2/client2.ts.");
    let hits = find(&text);
    assert_eq!(hits.len(), 1);
    let shown = line_around(&mask::hide_random(&mask(&text)), &hits[0].at);
    assert!(
        !shown.contains(&two[8..]) && !shown.contains(&one[8..]),
        "{shown}"
    );
    assert!(shown.contains("is set as PD_TOKEN="), "{shown}");
}

#[test]
fn a_key_of_whatever_is_found_by_its_label_and_its_value() {
    let key = random(32, ALPHANUMERIC);
    let long = format!("{}==", random(86, ALPHANUMERIC));
    let hex = random(32, HEX);
    for text in [
        format!("Storage account key: {long}"),
        format!("Consumer key: {key}"),
        format!("- Read-only key: `{key}`"),
        format!("X-Api-Key header: {key}"),
        format!("The `X-Api-Key` header: {hex}"),
        format!("The shared secret with the ERP: {key}"),
        format!("Set the API key to {key}."),
        format!("The key is {key}."),
        format!("Mailgun: the key is `{hex}`, for staging only."),
        format!("Key: {key}"),
        format!("**Partner key**: {key}"),
        format!("Fernet key = {key}"),
        format!("Second key is {key}"),
        format!("Put the key {key} into `.env`."),
        format!("Set `MAIL_API_KEY` to `{key}` there."),
        format!("Admin key — {key}"),
        format!("---\n\nKey for the sandbox is {key}"),
        format!("The key between shop and ERP: {key}"),
        format!("Change the webhook secret to `{key}` after the drill."),
        format!("Our shared secret from the bank = {hex}"),
    ] {
        let hits = find(&text);
        assert_eq!(hits.len(), 1, "{text}");
        let masked = mask(&text);
        assert!(!masked.contains(&text[hits[0].at.clone()]), "{masked}");
    }
    let commit = random(40, HEX);
    let checksum = random(64, HEX);
    for text in [
        format!("Key: {commit}"),
        format!("Rotate the key {commit} signed with."),
        "Press the key ControlShiftF12OrF13OrF14 twice.".to_owned(),
        "Map the key customer_2024_eu_1_cart_v2 onto tenants.".to_owned(),
        format!("The cache key {key} is the hash of the query."),
        format!("The key is {checksum}"),
        format!("The key is {}", &commit[..12]),
        format!("Cache key: {key}"),
        format!("The storage key = {key}"),
        format!("Public key: {key}"),
        format!("reCAPTCHA site key: {key}"),
        format!("Stripe publishable key: {key}"),
        format!("GPG key: {hex}"),
        format!("Idempotency key: {key}"),
        "The key is 550e8400-e29b-41d4-a716-446655440000".to_owned(),
        "The key is the customer's number followed by its year".to_owned(),
        "Consumer key: CONSUMER_KEY_2024_PROD in the vault".to_owned(),
        "Read-only key: <ask the platform team>".to_owned(),
        "X-Api-Key header: ${API_KEY_2}".to_owned(),
        "X-Api-Key header: sent by each client since v2".to_owned(),
        "Set the API key to process.env.API_KEY_2024_PROD_EU".to_owned(),
        "Set the API key to the value of MAIL_API_KEY2 before the 1st run".to_owned(),
        "The shared secret with the ERP: see vault/erp/2026/shared-secret-v2".to_owned(),
        "Storage account key: rotated every 90 days, kept in key-vault-eu-2".to_owned(),
        "The key is orders-2026-01-eu-west-1 in each bucket".to_owned(),
        "Key: cfg2024ProdEu1Customers of the table".to_owned(),
        "The key is XXXXXXXXXXXXXXXXXXXX12345678".to_owned(),
        "Translation key: checkoutButton2LabelV3Confirm".to_owned(),
        "Key = Sha256OfTheBodyAndTheDate2".to_owned(),
    ] {
        assert!(find(&text).is_empty(), "{text}");
    }
}

#[test]
fn what_people_log_in_with_is_found_as_they_write_it() {
    for (text, secret) in [
        (
            "VPN portal: user ines.calder, pass: h7Gk2pQz!x",
            "h7Gk2pQz!x",
        ),
        ("staging pass h7Gk2pQz8x for user etl", "h7Gk2pQz8x"),
        ("**pass**: `h7Gk2pQz8x`", "h7Gk2pQz8x"),
        (
            "`admin / Sommer2026!` or admin / Winter2026! on staging",
            "Winter2026!",
        ),
        ("etl@x.test / h7Gk2pQz8x", "h7Gk2pQz8x"),
        ("grafana: admin:Qz7rT2mkPp41", "Qz7rT2mkPp41"),
        (
            "mosquitto_pub -h broker -u meter -P k9Lq2Zr7TmW4 -t x",
            "k9Lq2Zr7TmW4",
        ),
        ("WiFi SSID lab, PSK 9fKq2LmZ7x", "9fKq2LmZ7x"),
        ("wpa_passphrase: 9fKq2LmZ7x", "9fKq2LmZ7x"),
        (
            "{\"auths\": {\"ghcr.io\": {\"auth\": \"Ym90OlpyN1RtMmtxOUx3OFBwNFE=\"}}}",
            "Ym90OlpyN1RtMmtxOUx3OFBwNFE=",
        ),
        (
            "TOTP seed of the admin: JBSWY3DPEHPK3PXPGEZDGNBV",
            "JBSWY3DPEHPK3PXPGEZDGNBV",
        ),
        (
            "otpauth://totp/x?issuer=y&secret=JBSWY3DPEHPK3PXPGEZDGNBV&digits=6",
            "JBSWY3DPEHPK3PXPGEZDGNBV",
        ),
        (
            "Azure DevOps PAT q7x2mkpl4rt6bnw3zvc5sdfgh2jklmnp7qrstuvwxyz2a3b4c5d6",
            "q7x2mkpl4rt6bnw3zvc5sdfgh2jklmnp7qrstuvwxyz2a3b4c5d6",
        ),
        (
            "https://a.blob.core.windows.net/c?sv=2022-11-02&ss=b&sp=rl&se=2027-01-01&sig=q7X2mKpL4rT6bNw3ZvC5sDfGh2JkLmNp7QrStUvWxYz%3D",
            "q7X2mKpL4rT6bNw3ZvC5sDfGh2JkLmNp7QrStUvWxYz%3D",
        ),
    ] {
        let found = find(text);
        let all: Vec<_> = found.iter().map(|hit| &text[hit.at.clone()]).collect();
        assert!(all.contains(&secret), "{text}: {all:?}");
    }
    for text in [
        "db_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256",
        "Ansible: `password: !vault |` in group_vars.",
        "password: !GetAtt Secret.Value",
        "DB_PASSWORD: !Sub ${Secret}",
        "\"private_key_id\": \"8c1f0a2b3c4d5e6f708192a3b4c5d6e7f8091a2b\"",
        "All tests pass with Node20 and pass: 42 of 42.",
        "They pass through src/a2.rs. A boarding pass costs nothing.",
        "admin / editor / viewer are the roles.",
        "Ask admin@shop.test / support first.",
        "Routes: admin:dashboard, user:settings, root:index2",
        "Roles are called user:read-only and admin:write-all.",
        "The WPA supplicant and psk-file are in /etc.",
        "PSK is stored in the vault.",
        "TOTP seeds are kept in VAULT; 2FA is REQUIRED for ADMINISTRATORS.",
        "\"auth\": \"required\" and \"auth\": \"basic-or-bearer-token\"",
        "Use `?sv=2022-11-02&sig=<signature>` and never log it.",
        "mosquitto_pub -u meter -P $MQTT_PASSWORD -t x",
        "The PAT of Azure DevOps is read from the variable.",
    ] {
        assert_eq!(find(text).len(), 0, "{text}");
    }
}

#[test]
fn what_stands_between_a_name_and_its_value_may_say_where_it_is_used() {
    let hex = random(32, HEX);
    let password = "Kq8zWm4rTt2x";
    for (text, secret) in [
        (format!("Cookie secret in prod: {hex}"), &*hex),
        (format!("Signing secret in staging is {hex}."), &hex),
        (format!("Password (prod): {password}"), password),
        (format!("Password [staging]: {password}"), password),
        (format!("DB password, staging: {password}."), password),
        (format!("Password (ops team, prod) = {password}"), password),
        (format!("Webhook secret [live]: {hex}"), &hex),
        (format!("API token prod: {hex}"), &hex),
        (format!("Session secret at the edge: `{hex}`."), &hex),
        (format!("Client secret (prod) is {hex}."), &hex),
        (format!("The token is {hex}. It is rotated."), &hex),
        (format!("- **Password** (root): `{password}`"), password),
        (
            format!("Password for the pier: PIER_PASSWORD={password}."),
            password,
        ),
    ] {
        let hits = find(&text);
        assert_eq!(hits.len(), 1, "{text}");
        assert_eq!(&text[hits[0].at.clone()], secret, "{text}");
    }
    for text in [
        "Cookie secret in prod: rotated every 30 days",
        "Password (prod): ask the ops team",
        "Password (min 12 chars): required",
        "Signing secret in staging is in the vault, entry 12/cookie.",
        "Token [optional]: a string of 32 characters",
        "Password test: the form refuses 11 characters",
        "API token prod: see 1password, entry tide-feed-2",
        "Password (staging): $STAGING_PASS1",
        "POSTGRES_PASSWORD=devpassword1",
        "DB_PASSWORD=localdev123",
        "MYSQL_ROOT_PASSWORD=test_root_1",
        "Postgres password for local runs: POSTGRES_PASSWORD=localdev1",
        "password: demo-password-1",
        "DATABASE_URL=postgres://app:devsecret1@localhost:5432/app",
    ] {
        assert!(find(text).is_empty(), "{text}");
    }
    // A number of its own, or of none of these words.
    for text in [
        "POSTGRES_PASSWORD=devKq8zWm4rTt2",
        "DB_PASSWORD=test84629175",
        "password: harbor-Crane42",
        "password: Hafen2026!",
    ] {
        assert_eq!(find(text).len(), 1, "{text}");
    }
}

#[test]
fn what_a_session_is_known_by_is_found() {
    let value = random(40, ALPHANUMERIC);
    for text in [
        format!("Session cookie: kelp_sid=s%3A{value}"),
        format!("Cookie: session=eyJ1aWQiOjQyfQ.ZkT3vA.{value}"),
        format!("curl -b 'JSESSIONID={value}' https://x.test"),
        format!("Set-Cookie: connect.sid={value}; Path=/"),
        format!("sessionid={value} is the one of staging"),
        format!("`PHPSESSID={value}`"),
        format!("Auth: Basic {value}"),
        format!("auth=Basic {value}=="),
    ] {
        assert_eq!(find(&text).len(), 1, "{text}");
    }
    for text in [
        "Cookie: session=<value> is sent by the client",
        "session=Session.objects.get_or_create2024()",
        "The cookie kelp_sid=... is HttpOnly.",
        "sessionid=YOUR_SESSION_ID_HERE_12",
        "`session=request.session_v2.copy_v2()`",
        "Auth: Basic or bearer, both are fine",
        "Auth: Basic credentials-are-read-from-the-vault",
        "sessionid=$SESSION_ID_2024_PROD1",
    ] {
        assert_eq!(find(text).len(), 0, "{text}");
    }
}
