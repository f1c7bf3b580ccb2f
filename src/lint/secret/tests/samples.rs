//! A secret of each kind, made up here.

use super::*;

/// A secret of every kind, and the text it stands in.
pub(super) fn samples() -> Vec<(&'static str, String, String)> {
    let a = |length| random(length, ALPHANUMERIC);
    let h = |length| random(length, HEX);
    let plain = [
        ("an AWS access key id", format!("AKIA{}", random(16, UPPER))),
        ("a GitHub token", format!("ghp_{}", a(36))),
        ("a GitHub token", format!("github_pat_{}_{}", a(22), a(59))),
        ("a GitLab token", format!("glpat-{}", a(20))),
        (
            "a Slack token",
            format!("xoxb-{}-{}", "123456789012", a(24)),
        ),
        (
            "a Slack webhook",
            format!(
                "hooks.slack.com/services/T{}/B{}/{}",
                random(8, UPPER),
                random(8, UPPER),
                a(24)
            ),
        ),
        ("a Google API key", format!("AIza{}", a(35))),
        ("a Google OAuth token", format!("ya29.{}", a(60))),
        ("a Google OAuth client secret", format!("GOCSPX-{}", a(28))),
        ("a Stripe key", format!("sk_live_{}", a(24))),
        ("a Stripe webhook secret", format!("whsec_{}", a(32))),
        ("an Anthropic key", format!("sk-ant-api03-{}", a(90))),
        ("an OpenRouter key", format!("sk-or-v1-{}", h(64))),
        ("an OpenAI key", format!("sk-proj-{}", a(48))),
        ("an OpenAI key", format!("sk-{}", a(48))),
        ("an npm token", format!("npm_{}", a(36))),
        ("a PyPI token", format!("pypi-AgEIcHlwaS5vcmc{}", a(60))),
        ("a RubyGems key", format!("rubygems_{}", h(48))),
        ("a Hugging Face token", format!("hf_{}", a(34))),
        ("a SendGrid key", format!("SG.{}.{}", a(22), a(43))),
        ("a Twilio key", format!("SK{}", h(32))),
        ("a DigitalOcean token", format!("dop_v1_{}", h(64))),
        ("a Docker token", format!("dckr_pat_{}", a(27))),
        ("a Databricks token", format!("dapi{}", h(32))),
        ("a Shopify token", format!("shpat_{}", h(32))),
        ("a HashiCorp Vault token", format!("hvs.{}", a(24))),
        ("a Linear key", format!("lin_api_{}", a(40))),
        ("a Notion token", format!("ntn_{}", a(46))),
        ("an Atlassian token", format!("ATATT3{}", a(180))),
        ("a Groq key", format!("gsk_{}", a(52))),
        ("an xAI key", format!("xai-{}", a(80))),
        ("a Replicate token", format!("r8_{}", a(37))),
        ("a Perplexity key", format!("pplx-{}", a(48))),
        ("a Supabase token", format!("sbp_{}", h(40))),
        ("a Grafana token", format!("glsa_{}", a(41))),
        ("a Sentry token", format!("sntrys_{}", a(60))),
        ("a Postman key", format!("PMAK-{}-{}", h(24), h(34))),
        ("a Figma token", format!("figd_{}", a(40))),
        ("a Tailscale key", format!("tskey-auth-{}-{}", a(16), a(32))),
        (
            "an age key",
            format!("AGE-SECRET-KEY-1{}", random(58, UPPER)),
        ),
        ("a Telegram bot token", format!("123456789:AA{}", a(33))),
        (
            "a Discord webhook",
            format!("discord.com/api/webhooks/1234567890/{}", a(68)),
        ),
        (
            "a JSON Web Token",
            format!("eyJ{}.eyJ{}.{}", a(33), a(80), a(43)),
        ),
    ];
    let mut samples: Vec<_> = plain
        .into_iter()
        .map(|(kind, secret)| {
            (
                kind,
                secret.clone(),
                format!("Deploys used `{secret}` until May."),
            )
        })
        .collect();
    let key = format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{}\n{}\n-----END RSA PRIVATE KEY-----",
        a(64),
        a(64)
    );
    let named = [
        ("a private key", key.clone(), format!("The key:\n{key}\n")),
        (
            "an AWS secret access key",
            a(40),
            "aws_secret_access_key = {}".to_owned(),
        ),
        (
            "an npm token",
            a(36),
            "//registry/:_authToken={}".to_owned(),
        ),
        (
            "an Azure storage key",
            format!("{}==", a(86)),
            "AccountName=shop;AccountKey={};".to_owned(),
        ),
        (
            "a password in a URL",
            "k3tchup-on-rye".to_owned(),
            "postgres://shop:{}@db.internal:5432/shop".to_owned(),
        ),
        (
            "an authorization header",
            a(40),
            "curl -H 'Authorization: Bearer {}'".to_owned(),
        ),
        (
            "a session cookie",
            a(32),
            "Cookie: tide_sid={}; lang=en".to_owned(),
        ),
        (
            "a password",
            "hunter2!".to_owned(),
            "The admin password is {}".to_owned(),
        ),
        (
            "a password",
            "Tr0ub4dor".to_owned(),
            "DB_PASSWORD={}".to_owned(),
        ),
        (
            "a key of an application",
            format!("base64:{}=", a(43)),
            "APP_KEY={}".to_owned(),
        ),
        (
            "a user's password",
            "G7r#kk2Lw!x".to_owned(),
            "Grafana: admin / {}".to_owned(),
        ),
        (
            "a password on a command line",
            "Zx9qLm2Rt".to_owned(),
            "mysqldump -h db -u root -p{} shop".to_owned(),
        ),
        (
            "a password for curl",
            "Zx9qLm2Rt".to_owned(),
            "curl -s -u deploy:{} https://git.internal.shop/x".to_owned(),
        ),
        (
            "a password",
            "qv7!Lrm20%x".to_owned(),
            "The password of the staging admin is `{}`.".to_owned(),
        ),
        (
            "a password",
            "mQ4w-Xk9#tt".to_owned(),
            "Das Passwort für den Testserver lautet {}".to_owned(),
        ),
        (
            "a password",
            "Herbst#2031x".to_owned(),
            "Sign in as qa@shop.test, password {}".to_owned(),
        ),
        (
            "an Azure SAS signature",
            format!("{}%3D", a(43)),
            "https://shop.blob.core.windows.net/x?sv=2022-11-02&se=2027-01-01&sig={}".to_owned(),
        ),
        (
            "an Azure DevOps token",
            random(52, "abcdefghijklmnopqrstuvwxyz234567"),
            "The Azure DevOps PAT {} is of the pipeline.".to_owned(),
        ),
        (
            "the login of a registry",
            format!("{}=", a(31)),
            "{\"auths\": {\"ghcr.io\": {\"auth\": \"{}\"}}}".to_owned(),
        ),
        (
            "the seed of one-time codes",
            random(32, UPPER),
            "The TOTP seed of the admin is {}".to_owned(),
        ),
        (
            "the key of a wireless network",
            "9fKq2LmZ7x".to_owned(),
            "WiFi SSID lab, PSK {}".to_owned(),
        ),
        (
            "a password of a .pgpass file",
            "qv7Lrm20x".to_owned(),
            "Put `db.internal:5432:shop:reader:{}` into it.".to_owned(),
        ),
        (
            "a password",
            "otter-paper-lantern-quiet".to_owned(),
            "The passphrase of the backup key is {}.".to_owned(),
        ),
        ("a secret", a(32), "| client_secret | {} |".to_owned()),
        // The value may stand far behind the name.
        (
            "a secret",
            h(32),
            format!("api_key:{}\"{{}}\"", " ".repeat(90)),
        ),
        (
            "a password",
            "Tr0ub4dor".to_owned(),
            format!("password ={}{{}}", " ".repeat(90)),
        ),
        ("a secret", a(32), "client_secret: \"{}\"".to_owned()),
        ("a secret", h(40), "API_KEY={}".to_owned()),
    ];
    samples.extend(named.into_iter().map(|(kind, secret, text)| {
        let text = text.replace("{}", &secret);
        (kind, secret, text)
    }));
    samples
}
