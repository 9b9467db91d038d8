//! A pack as a whole in words.

use adjutant_pack::Pack;

/// The license, language and web page of a pack, as far as it gives them.
pub fn pack_facts(pack: &Pack) -> String {
    let facts = [("License: ", pack.license()), ("Language: ", pack.language()), ("", pack.url())];
    let given = facts.into_iter().filter(|(_, fact)| !fact.is_empty());
    given.map(|(name, fact)| format!("{name}{fact}")).collect::<Vec<_>>().join(" · ")
}
