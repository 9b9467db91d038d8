//! A pack as a whole in words.

use adjutant_pack::{Die, Pack, capital};

/// The license, language and web page of a pack, as far as it gives them.
pub fn pack_facts(pack: &Pack) -> String {
    let facts = [("License: ", pack.license()), ("Language: ", pack.language()), ("", pack.url())];
    let given = facts.into_iter().filter(|(_, fact)| !fact.is_empty());
    given.map(|(name, fact)| format!("{name}{fact}")).collect::<Vec<_>>().join(" · ")
}

/// The same without the language, which a reader of the sheet sees.
pub fn license_and_address(pack: &Pack) -> String {
    let facts = [("License: ", pack.license()), ("", pack.url())];
    let given = facts.into_iter().filter(|(_, fact)| !fact.is_empty());
    given.map(|(name, fact)| format!("{name}{fact}")).collect::<Vec<_>>().join(" · ")
}

/// The faces of a die, each with its symbol and how often it is there: `♟ Foot ×2, ✹ Flash`.
pub fn faces_of(die: &Die) -> String {
    let mut faces: Vec<(String, usize)> = Vec::new();
    for face in &die.faces {
        let title = capital(&face.title);
        let name = if face.symbol.is_empty() { title } else { format!("{} {title}", face.symbol) };
        match faces.iter_mut().find(|(known, _)| *known == name) {
            Some((_, times)) => *times += 1,
            None => faces.push((name, 1)),
        }
    }
    let often = |times: usize| if times > 1 { format!(" ×{times}") } else { String::new() };
    let faces = faces.into_iter().map(|(name, times)| format!("{name}{}", often(times)));
    faces.collect::<Vec<_>>().join(", ")
}

/// The beginning of a fingerprint, enough to tell packs apart by eye.
pub fn short_fingerprint(hash: &str) -> String {
    hash.chars().filter(char::is_ascii_hexdigit).take(12).collect()
}
