//! Tests of query errors.

use super::*;
use crate::memory::rows;

#[test]
fn errors_say_where_and_what_is_nearest() {
    for (text, place, message, hint) in rows! {
        "auth importence:high" => "importence" =>
            "no field `importence`" => "did you mean `importance`?",
        "!tga:x" => "tga" => "no field `tga`" => "did you mean `tag`?",
        "importence:" => "importence" => "no field `importence`" => "did you mean `importance`?",
        "WhenToUs:x" => "WhenToUs" => "no field `WhenToUs`" => "did you mean `whenToUse`?",
        "note:x" => "note" => "no field `note`" => "the nearest is `type`",
        "importance:hihg" => "hihg" => "no importance `hihg`" => "did you mean `high`?",
        "importance:low,>=urgent" => ">=urgent" =>
            "no importance `urgent`" => "it can be `low`, `medium`, `high` or `critical`",
        "has:stale-pth" => "stale-pth" =>
            "no rule or field `stale-pth`" => "did you mean `stale-path`?",
        "is:invisble" => "invisble" => "no state `invisble`" => "did you mean `invisible`?",
        "state:gone" => "gone" => "no state `gone`" => "it can be `active` or `archived`",
        "created:<3" => "<3" =>
            "`3` is neither a date nor an age" =>
            "write created:2026-03, created:>=2026-01-15 or created:<30d (m h d w M y)",
        "created:2026-13" => "2026-13" =>
            "`2026-13` is neither a date nor an age" =>
            "write created:2026-03, created:>=2026-01-15 or created:<30d (m h d w M y)",
        "author:>a" => ">a" => "`author` has no order" => "write author:a",
        "confidence:high" => "high" => "`high` is not a number" => "write confidence:>0.5",
        "pinned:maybe" => "maybe" =>
            "`maybe` is neither true nor false" => "write pinned:true or pinned:false",
        "é is:neww x" => "neww" => "no state `neww`" => "did you mean `new`?",
    } {
        let error = Query::parse(text, &[format::schema("rawko"), &*OTHER]).unwrap_err();
        assert_eq!(&text[error.span.clone()], place, "{text}");
        assert_eq!(
            (&*error.message, error.hint.as_deref()),
            (message, Some(hint)),
            "{text}"
        );
    }
}

#[test]
fn what_asks_for_nothing_is_named_and_lets_everything_through() {
    for (text, place, message, hint) in rows! {
        "auth created:<" => "created:<" =>
            "`created:` needs a value" =>
            "write created:2026-03, created:>=2026-01-15 or created:<30d (m h d w M y)",
        "!importance:>=" => "importance:>=" =>
            "`importance:` needs a value" => "it can be `low`, `medium`, `high` or `critical`",
        "importance:high,>= auth" => "importance:high,>=" =>
            "`importance:` needs a value" => "it can be `low`, `medium`, `high` or `critical`",
        "tags:*" => "tags:*" => "`tags:` needs a value" => "write a word after the colon",
        "has:" => "has:" =>
            "`has:` needs a value" => "write has:finding, has:stale-path or has:tags",
        "state:" => "state:" => "`state:` needs a value" => "it can be `active` or `archived`",
        "auth !" => "!" => "nothing is asked for here" => "write a word after it",
    } {
        let query = parse(text);
        let error = query.unfinished().unwrap();
        assert_eq!(&text[error.span.clone()], place, "{text}");
        assert_eq!(
            (&*error.message, error.hint.as_deref()),
            (message, Some(hint)),
            "{text}"
        );
        assert!(finds(text), "{text}");
    }
    for text in ["", "auth", "tags:auth,", "is:visible", "auth |"] {
        assert_eq!(parse(text).unfinished(), None, "{text}");
    }
}
