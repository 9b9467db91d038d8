//! Entities such as `&eacute;` and `&#91;`.

/// Text on one line, with its entities read.
pub(super) fn decode(text: &str) -> String {
    read_entities(text).replace(['\n', '\r'], " ")
}

/// Text with its entities read: `&frac12;` is ½.
pub fn read_entities(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        shown.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.char_indices().take(12).find(|(_, c)| *c == ';').map(|(end, _)| end);
        let read = end.and_then(|end| entity(&rest[1..end]).map(|c| (c, end)));
        match read {
            Some((c, end)) => {
                shown.push_str(&c);
                rest = &rest[end + 1..];
            }
            None => {
                shown.push('&');
                rest = &rest[1..];
            }
        }
    }
    shown.push_str(rest);
    shown
}

fn entity(name: &str) -> Option<String> {
    if let Some(code) = name.strip_prefix('#') {
        let code = match code.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => code.parse().ok()?,
        };
        return char::from_u32(code).filter(|c| !c.is_control()).map(String::from);
    }
    let shown = match name {
        "amp" => "&",
        "plus" => "+",
        "hyphen" | "dash" => "-",
        "equals" => "=",
        "colon" => ":",
        "comma" => ",",
        "period" => ".",
        "semi" => ";",
        "sol" => "/",
        "ast" => "*",
        "num" => "#",
        "percnt" => "%",
        "excl" => "!",
        "quest" => "?",
        "lpar" => "(",
        "rpar" => ")",
        "lsqb" | "lbrack" => "[",
        "rsqb" | "rbrack" => "]",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" | "rsquo" | "lsquo" | "prime" => "'",
        "nbsp" | "ensp" | "emsp" => "\u{a0}",
        "thinsp" => " ",
        "ndash" | "minus" | "mdash" => "–",
        "le" => "≤",
        "ge" => "≥",
        "plusmn" => "±",
        "times" => "×",
        "frac12" | "half" => "½",
        "frac14" => "¼",
        "frac34" => "¾",
        "hellip" => "…",
        "ldquo" | "rdquo" | "Prime" => "\"",
        "larr" => "←",
        "rarr" => "→",
        "bull" | "middot" => "•",
        "dagger" => "†",
        "Dagger" => "‡",
        "copy" => "©",
        "shy" => "",
        "deg" => "°",
        "laquo" | "raquo" => "\"",
        "euro" => "€",
        "oelig" => "œ",
        "OElig" => "Œ",
        _ => return letter(name).map(String::from),
    };
    Some(shown.into())
}

/// The letters from U+00C0 on, by the names of their entities.
const LETTERS: [&str; 64] = [
    "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute",
    "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute",
    "Ocirc", "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute",
    "THORN", "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil",
    "egrave", "eacute", "ecirc", "euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde",
    "ograve", "oacute", "ocirc", "otilde", "ouml", "divide", "oslash", "ugrave", "uacute", "ucirc",
    "uuml", "yacute", "thorn", "yuml",
];

fn letter(name: &str) -> Option<char> {
    let place = LETTERS.iter().position(|known| *known == name)?;
    char::from_u32(0xc0 + u32::try_from(place).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accented_letters() {
        assert_eq!(
            decode("G&eacute;n&eacute;ral &agrave; l&apos;aile, &Uuml;bung"),
            "Général à l'aile, Übung"
        );
        assert_eq!(decode("&yuml;&Agrave;&nonsense;&"), "ÿÀ&nonsense;&");
    }

    #[test]
    fn signs() {
        assert_eq!(decode("&plus;1 &lpar;1&hyphen;3&rpar;&colon; 50&percnt;"), "+1 (1-3): 50%");
    }
}
