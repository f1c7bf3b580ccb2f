//! The kinds of secrets: how each is known, and by which words a text that may hold one.

mod kind;
mod words;

pub use kind::{Check, Kind, PASSWORD, SECRET};
use kind::{form, given, told};
pub use words::{ALGORITHMS, KEYS_OF_ALL, MADE_UP, NO_PASSWORDS, PLACEHOLDERS, TELLING};

/// The names of keys that are secrets, in words or as one name; those of caches, tables and maps
/// are none.
macro_rules! keys {
    () => {
        "(?:api|access|private|auth|authentication|authorization|signing|signature|encryption|\
decryption|secret|master|integration|licen[cs]e|activation|deploy|deployment|service|application|\
app|client|subscription|webhook|shared|symmetric|hmac|jwt|cookie|session|crypto|recovery|\
instrumentation|ingest|ingestion|routing|write|admin|sdk)[ _-]?key"
    };
}

/// Every kind there is; where two match at one place, the first one names it.
///
/// The forms are those that the issuers document for scanning (GitHub's list of partner patterns
/// and the issuers' own pages on the formats of their tokens).
pub static KINDS: &[Kind] = &[
    form(
        "an AWS access key id",
        &["akia", "asia", "abia", "acca"],
        r"\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b",
    ),
    form(
        "an AWS secret access key",
        &["aws"],
        r#"(?i)aws[A-Za-z0-9_ .-]{0,30}?(?:secret|key)[A-Za-z0-9_ .-]{0,20}["'`]?\s*(?:=|:|=>)\s*["'`]?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)"#,
    ),
    form(
        "a GitHub token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        r"\b(gh[pousr]_[A-Za-z0-9]{30,})",
    ),
    form(
        "a GitHub token",
        &["github_pat_"],
        r"\b(github_pat_[A-Za-z0-9_]{22,})",
    ),
    form(
        "a GitLab token",
        &[
            "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-",
            "gloas-",
        ],
        r"\b(gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[A-Za-z0-9_.-]{20,})",
    ),
    form(
        "a Slack token",
        &["xox", "xapp-"],
        r"\b((?:xox[abceoprs](?:\.xox[bp])?|xapp)-[A-Za-z0-9-]{10,})",
    ),
    form(
        "a Slack webhook",
        &["hooks.slack.com"],
        r"(hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{20,})",
    ),
    form("a Google API key", &["aiza"], r"\b(AIza[0-9A-Za-z_-]{35})"),
    form(
        "a Google OAuth token",
        &["ya29."],
        r"\b(ya29\.[0-9A-Za-z_-]{20,})",
    ),
    form(
        "a Google OAuth client secret",
        &["gocspx-"],
        r"\b(GOCSPX-[0-9A-Za-z_-]{20,})",
    ),
    form(
        "a Stripe key",
        &["_live_", "_test_"],
        r"\b((?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,})",
    ),
    form(
        "a Stripe webhook secret",
        &["whsec_"],
        r"\b(whsec_[0-9A-Za-z+/=]{24,})",
    ),
    form(
        "an Anthropic key",
        &["sk-ant-"],
        r"\b(sk-ant-[A-Za-z0-9_-]{20,})",
    ),
    form(
        "an OpenRouter key",
        &["sk-or-"],
        r"\b(sk-or-(?:v1-)?[A-Za-z0-9]{32,})",
    ),
    form(
        "an OpenAI key",
        &["sk-"],
        r"\b(sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,}))",
    ),
    form("an npm token", &["npm_"], r"\b(npm_[A-Za-z0-9]{36})"),
    form(
        "an npm token",
        &["_authtoken"],
        r"_authToken\s*=\s*([A-Za-z0-9_-]{20,})",
    ),
    form("a PyPI token", &["pypi-"], r"\b(pypi-[A-Za-z0-9_-]{16,})"),
    form(
        "a RubyGems key",
        &["rubygems_"],
        r"\b(rubygems_[0-9a-f]{48})",
    ),
    form("a Hugging Face token", &["hf_"], r"\b(hf_[A-Za-z0-9]{30,})"),
    form(
        "a SendGrid key",
        &["sg."],
        r"\b(SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64})",
    ),
    form("a Twilio key", &["sk"], r"\b(SK[0-9a-f]{32})\b"),
    form(
        "a DigitalOcean token",
        &["_v1_"],
        r"\b(do[opr]_v1_[0-9a-f]{64})",
    ),
    form(
        "a Docker token",
        &["dckr_"],
        r"\b(dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,})",
    ),
    form("a Databricks token", &["dapi"], r"\b(dapi[0-9a-f]{32})"),
    form(
        "a Shopify token",
        &["shp"],
        r"\b(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})",
    ),
    form(
        "a HashiCorp Vault token",
        &["hvs.", "hvb."],
        r"\b(hv[sb]\.[A-Za-z0-9_-]{24,})",
    ),
    form(
        "a Linear key",
        &["lin_api_"],
        r"\b(lin_api_[A-Za-z0-9]{32,})",
    ),
    form(
        "a Notion token",
        &["ntn_", "secret_"],
        r"\b((?:ntn_|secret_)[A-Za-z0-9]{40,})",
    ),
    form(
        "an Atlassian token",
        &["atatt3"],
        r"\b(ATATT3[A-Za-z0-9_=-]{24,})",
    ),
    form("a Groq key", &["gsk_"], r"\b(gsk_[A-Za-z0-9]{40,})"),
    form("an xAI key", &["xai-"], r"\b(xai-[A-Za-z0-9]{40,})"),
    form("a Replicate token", &["r8_"], r"\b(r8_[A-Za-z0-9]{30,})"),
    form("a Perplexity key", &["pplx-"], r"\b(pplx-[A-Za-z0-9]{32,})"),
    form(
        "a Supabase token",
        &["sbp_", "sb_secret_"],
        r"\b((?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,}))",
    ),
    form(
        "a Grafana token",
        &["glsa_", "glc_"],
        r"\b(gl(?:sa|c)_[A-Za-z0-9_+/=-]{32,})",
    ),
    form(
        "a Sentry token",
        &["sntrys_", "sntryu_"],
        r"\b(sntry[su]_[A-Za-z0-9_+/=-]{32,})",
    ),
    form(
        "a Postman key",
        &["pmak-"],
        r"\b(PMAK-[0-9a-f]{24}-[0-9a-f]{34})",
    ),
    form("a Figma token", &["figd_"], r"\b(figd_[A-Za-z0-9_-]{30,})"),
    form(
        "a Tailscale key",
        &["tskey-"],
        r"\b(tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9-]{16,})",
    ),
    form(
        "an Azure SAS signature",
        &["sig="],
        r#"(?i)[?&](?:sv|ss|sp|se|sr|st|srt)=[^\s"'`]{0,300}?&sig=([A-Za-z0-9%+/=_-]{40,})"#,
    ),
    told(
        "an Azure DevOps token",
        &["devops", "vsts", " pat ", "pat:", "pat="],
        r#"(?i)\b(?:azure ?devops|vsts|pat)\b[^\n]{0,60}?[\s:=]["'`]?((?-i:[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}))\b"#,
        (Check::Random, 0.9),
    ),
    told(
        "the login of a registry",
        &["\"auth"],
        r#""auth\\*"\s*:\s*\\*"([A-Za-z0-9+/]{16,}={0,2})\\*""#,
        (Check::Random, 0.9),
    ),
    told(
        "the seed of one-time codes",
        &["totp", "otpauth", "2fa", "mfa", "authenticator"],
        r#"(?i)\b(?:totp|otpauth|2fa|mfa|authenticator)\b[^\n]{0,80}?[\s:=]["'`*]{0,3}((?-i:[A-Z2-7]{16,64}))={0,6}(?:["'`*,.;)&\s]|$)"#,
        (Check::Random, 0.85),
    ),
    form(
        "an age key",
        &["age-secret-key-"],
        r"(AGE-SECRET-KEY-1[0-9A-Z]{58})",
    ),
    form(
        "an Azure storage key",
        &["accountkey="],
        r"(?i)AccountKey=([A-Za-z0-9+/]{60,}={0,2})",
    ),
    form(
        "a Telegram bot token",
        &[":aa"],
        r"\b([0-9]{8,10}:AA[A-Za-z0-9_-]{32,34})\b",
    ),
    form(
        "a Discord webhook",
        &["/api/webhooks/"],
        r"(discord(?:app)?\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]{30,})",
    ),
    form(
        "a JSON Web Token",
        &["eyj"],
        r"\b(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})",
    ),
    // In a quotation, a diff or a string its lines begin with other signs or are escaped.
    form(
        "a private key",
        &["private key"],
        r"(-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\+n|\n[+-]|[\s>])*(?:[A-Za-z0-9-]+: [^\n]*(?:\\+n|\n[+-]|[\s>])*)*[A-Za-z0-9+/=]{16}(?:\n-[A-Za-z0-9+/=> ]|[A-Za-z0-9+/=>\s]|\\+n)*(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)?)",
    ),
    // A diff may begin in the middle of one.
    form(
        "a private key",
        &["private key"],
        r"(?:^|[^A-Za-z0-9+/=])((?:[A-Za-z0-9+/=]{16,}(?:\n[ +>-]*|\\+n))+)-----END (?:[A-Z0-9]+ )*PRIVATE KEY",
    ),
    form(
        "a key of an application",
        &["app_key"],
        r"(?i)\bAPP_KEY\s*=\s*(base64:[A-Za-z0-9+/]{32,}={0,2})",
    ),
    told(
        "a password in a URL",
        &["://"],
        r#"(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@"'`<>]{0,80}:([^\s@/"'`<>]{3,200})@[^\s/]"#,
        (Check::Password, 0.9),
    ),
    told(
        "a password for curl",
        &["curl"],
        r#"(?i)\bcurl\b[^\n|;]{0,200}?\s(?:-u|--user)(?:=|\s)?\s*["'`]?[^\s:"'`$<{]+:([^\s"'`@$<{]{6,})"#,
        (Check::Password, 0.85),
    ),
    told(
        "an authorization header",
        &["bearer ", "basic "],
        r"(?i)\b(?:auth(?:orization)?\s*[:=]\s*[\x22'`]?\s*(?:bearer|basic)|bearer)\s+([A-Za-z0-9+/._~=-]{16,})",
        (Check::Random, 0.85),
    ),
    told(
        "a session cookie",
        &["sess", "sid=", "cookie"],
        r#"(?i)(?:\b[a-z0-9_.-]{0,30}(?:session(?:_?id)?|sessid|[._-]sid)|\bcookie:\s?[a-z0-9_.-]{1,40})=([^\s"'`,;)]{16,})"#,
        (Check::Random, 0.8),
    ),
    given(
        PASSWORD,
        &[
            "passw",
            "pwd",
            "passphrase",
            "kennwort",
            "mot de passe",
            "mdp",
            "contrase",
            "senha",
            "wachtwoord",
        ],
        // In a sentence it may be said whose password it is: `The password of the staging admin is`.
        r#"(?i)(?:^|[^A-Za-z0-9])(?:[A-Za-z0-9_.-]{0,40}[_.-])?(?:[a-z]{0,20})(?:password|passwd|pwd|passphrase|passwort|kennwort|mot de passe|mdp|contrase(?:ñ|n)a|senha|wachtwoord)(?:[_-]?(?:prod|production|dev|staging|test|root|admin|db))?["'`*]{0,3}(?:\s(?:for|of|to|on|in|at|für|von|vom|zu|zum|des|der|du|de|pour|del|para|da|do|van|voor)\s[^\n.;:=|"']{1,48}?|,?\s(?:prod|production|dev|staging|stage|test|live|sandbox)|\s[(\[][^()\[\]\n]{1,40}[)\]])?\s*(?:=>|:=|=|:|\s\||\s(?:is|ist|est|es|é|lautet)\s?:?\s|\slautet:?\s)\s*["'`*]{0,3}([^\s"'`,;]{6,})"#,
        Check::Password,
    ),
    told(
        PASSWORD,
        &[
            "password ",
            "passwort ",
            "kennwort ",
            "passphrase ",
            "mot de passe ",
            "contraseña ",
            "senha ",
        ],
        r#"(?i)\b(?:password|passwort|kennwort|passphrase|mot de passe|contraseña|senha)\s["'`]?([^\s"'`,;|]{8,})"#,
        (Check::Strong, 0.8),
    ),
    told(
        "a password on a command line",
        &[
            "sshpass",
            "mysql",
            "redis-cli",
            "--pass",
            "docker login",
            "mosquitto_",
        ],
        r#"(?:\bsshpass\s+-p\s*|\bmysql(?:dump|admin)?\b[^\n|;`]{0,80}?\s-p|\bredis-cli\b[^\n|;`]{0,80}?\s-a\s+|\bmosquitto_(?:pub|sub|rr)\b[^\n|;`]{0,80}?\s-P\s+|\bdocker login\b[^\n|;`]{0,80}?\s-p\s+|\s--pass(?:word)?[ =])["']?([^\s"'`,;<=$]{6,})"#,
        (Check::Password, 0.8),
    ),
    // `pass = …` in a configuration; alone in a line, for the word is one of every day.
    told(
        PASSWORD,
        &["pass =", "pass=", "pass:", "pass :", "pass\":"],
        r#"(?im)^[\s>-]{0,8}["']?(?:[a-z0-9]{0,20}[_.-])?pass["']?\s{0,3}[=:]\s{0,3}["'`]?([^\s"'`,;]{8,})["'`]?,?\s*$"#,
        (Check::Password, 0.8),
    ),
    // The same in a sentence, where the value looks like nothing else.
    told(
        PASSWORD,
        &["pass ", "pass:", "pass**"],
        r#"(?i)\bpass["'`*]{0,3}\s?[:=]?["'`*]{0,3}\s["'`*]{0,3}([^\s"'`,;|]{8,})"#,
        (Check::Strong, 0.75),
    ),
    told(
        "the key of a wireless network",
        &["psk", "wpa"],
        r#"(?i)\b(?:psk|wpa[_ -]?(?:key|psk|passphrase))["'`*]{0,3}\s?(?:[:=]|is\s)?\s?["'`*]{0,3}([^\s"'`,;|]{8,63})"#,
        (Check::Strong, 0.8),
    ),
    // `grafana: admin:…`
    told(
        "a user's password",
        &["admin:", "root:", "user:"],
        r#"(?i)(?:^|[\s`"'(])(?:admin|root|user):([^\s"'`,;|/:]{8,})"#,
        (Check::Strong, 0.75),
    ),
    // Words that are joined say something nearly everywhere else.
    told(
        PASSWORD,
        &["passphrase"],
        r#"(?i)\bpassphrase["'`*]{0,3}(?:\s(?:for|of|to|on|in)\s[^\n.;:=|"']{1,48}?)?(?:\s(?:is|ist|lautet)\s?:?\s|\s?[:=]\s?)\s*["'`*]{0,3}([a-z0-9]{2,}(?:-[a-z0-9]{2,}){3,})\b"#,
        (Check::Joined, 0.8),
    ),
    // host:port:database:user:password
    told(
        "a password of a .pgpass file",
        &[":5432:", ":5433:", ":6432:", "pgpass"],
        r#"(?m)(?:^|[\s`"'])(?:[A-Za-z][0-9A-Za-z._-]*|[0-9.]{7,15}|\*):(?:[0-9]{4,5}|\*):(?:[0-9A-Za-z_-]+|\*):(?:[0-9A-Za-z_.@-]+|\*):([^\s:`"']{6,})"#,
        (Check::Password, 0.85),
    ),
    // `admin / …`, as people note what to log in with.
    told(
        "a user's password",
        &["/ "],
        r#"(?i)\b(?:admin|root|user|login|credentials|zugangsdaten|[\w.+-]{1,40}@[\w.-]{1,40}\.[a-z]{2,12})[`*]{0,2}\s?[:/|]?\s(?:[`*]{0,2}[\w.@-]{2,40}[`*]{0,2}\s)?/\s[`*"']{0,2}([^\s"'`,;|/]{8,})"#,
        (Check::Strong, 0.75),
    ),
    told(
        PASSWORD,
        &["pw ", "pw:", "pw=", "pw`", "pw*", "pw\""],
        r#"(?i)(?:^|[^A-Za-z0-9])pw["'`*]{0,3}(?:\s[(\[][^()\[\]\n]{1,40}[)\]])?\s*(?:=>|:=|=|:|\sis\s)\s*["'`*]{0,3}([^\s"'`,;]{6,})"#,
        (Check::Password, 0.8),
    ),
    // Labels of other scripts; the value is of letters that a keyboard has.
    told(
        PASSWORD,
        &[
            "密码",
            "密碼",
            "口令",
            "パスワード",
            "비밀번호",
            "암호",
            "арол",
        ],
        r#"(?i)(?:密码|密碼|口令|パスワード|비밀번호|암호|парол[а-яё]{1,3})["'`*]{0,3}[^\n.;:=：|"'`]{0,32}?["'`*)）]{0,3}\s*(?:=|:|：|是|为|為|は|—)\s*["'`*「“]{0,3}([!#-&(-+\--:<-_a-~]{6,})"#,
        (Check::Password, 0.8),
    ),
    told(
        SECRET,
        &[
            "密钥",
            "密鑰",
            "令牌",
            "シークレット",
            "トークン",
            "キー",
            "토큰",
            "키",
            "люч",
            "окен",
        ],
        r#"(?i)(?:密钥|密鑰|令牌|シークレット|トークン|(?:API|アクセス|秘密|暗号)\s?キー|토큰|(?:API|접근|비밀)\s?키|ключ[а-яё]{0,3}|токен[а-яё]{0,3})["'`*]{0,3}[^\n.;:=：|"'`]{0,32}?["'`*)）]{0,3}\s*(?:=|:|：|是|为|為|は|—)\s*["'`*「“]{0,3}([!#-&(-+\--:<-_a-~]{12,})"#,
        (Check::Random, 0.8),
    ),
    // Behind an address nothing else has several digits in it.
    told(
        "a user's password",
        &["/ "],
        r#"(?i)\b[\w.+-]{1,40}@(?:[\w.-]{1,40}\.[a-z]{2,12}|…)[`*]{0,2}\s/\s[`*"']{0,2}([^\s"'`,;|/]{4,40}[0-9][^\s"'`,;|/]{0,20}[0-9][^\s"'`,;|/]{0,20})"#,
        (Check::Paired, 0.75),
    ),
    given(
        SECRET,
        &[
            "secret",
            "token",
            "key",
            "credential",
            "schlüssel",
            "clave",
            "jeton",
        ],
        concat!(
            r#"(?i)(?:^|[^A-Za-z0-9])(?:[A-Za-z0-9_.-]{0,40}[_.-])?(?:[a-z]{0,20})(?:secret|token|"#,
            keys!(),
            r#"|credentials?|schlüssel|clave(?: de api)?|jeton)(?:[_-]?(?:prod|production|dev|staging|test|base))?["'`*]{0,3}(?:\s(?:for|of|to|on|in|at|with|from|für|von|vom|de|du|del|pour|para)\s[^\n.;:=|"']{1,48}?|,?\s(?:prod|production|dev|staging|stage|test|live|sandbox)|\s[(\[][^()\[\]\n]{1,40}[)\]]|["'`*]{0,3}\s(?:header|value))?["'`*]{0,3}\s*(?:=>|:=|=|:|\s\||\s(?:is|ist|est|es|lautet)\s?:?\s)\s*["'`*]{0,3}\s?["'`*]{0,3}([^\s"'`,;]{12,})"#
        ),
        Check::Random,
    ),
    // A key of whatever: `Storage account key: …`, `The key of the shop is …`.
    given(
        SECRET,
        &["key"],
        r#"(?i)(?:^|[^A-Za-z0-9])key["'`*]{0,3}(?:\s(?:header|value)["'`*]{0,3}|\s(?:for|of|to|on|in|with|from|between)\s[^\n.;:=|"']{1,48}?)?\s*(?:=>|:=|=|:|\s\||\s[—–]|\s(?:is|to):?\s|\s)\s*["'`*]{0,3}([A-Za-z0-9+/=_-]{16,})(?:["'`*,;)]|[.:]?(?:\s|$))"#,
        Check::Labelled,
    ),
    // With nothing but `to` between the name and the value: `Set the API key to …`.
    given(
        SECRET,
        &["token", "key", "secret"],
        concat!(
            r#"(?i)\b(?:token|secret|"#,
            keys!(),
            r#")["'`*]{0,3}\s(?:to:?\s)?["'`*]{0,3}([A-Za-z0-9+/=]{20,})(?:["'`*,;)]|[.:]?(?:\s|$))"#
        ),
        Check::Alone,
    ),
];
