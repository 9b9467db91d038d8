//! Page furniture: lines that repeat at the edges of pages, page numbers, notices.

use super::SourceLine;
use std::collections::BTreeMap;

/// For each line whether it is page furniture.
pub(crate) fn find(lines: &[SourceLine<'_>]) -> Vec<bool> {
    let mut furniture: Vec<bool> = lines.iter().map(|line| is_furniture(line.text)).collect();
    let mut pages: Vec<Vec<usize>> = vec![Vec::new()];
    for (place, line) in lines.iter().enumerate() {
        if line.page {
            pages.push(Vec::new());
        }
        if let Some(page) = pages.last_mut()
            && !line.text.trim().is_empty()
        {
            page.push(place);
        }
    }
    pages.retain(|page| !page.is_empty());
    if pages.len() < 2 {
        return furniture;
    }
    let mut edges: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for page in &pages {
        let ends = page.iter().take(2).chain(page.iter().rev().take(2));
        for place in ends {
            let shape: String = lines[*place]
                .text
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .chars()
                .map(|c| if c.is_ascii_digit() { '#' } else { c })
                .collect();
            let seen = edges.entry(shape).or_default();
            // A short page has the same lines at both edges.
            if !seen.iter().rev().take(4).any(|known| known == place) {
                seen.push(*place);
            }
        }
    }
    // A line that has no digits and repeats on most pages, or one whose digits count the pages.
    for places in
        edges.values().filter(|places| places.len() >= 2 && places.len() * 2 > pages.len())
    {
        for place in places {
            furniture[*place] = true;
        }
    }
    // The name of the sheet above its later pages.
    let name = pages[0].first().and_then(|first| name_of(lines[*first].text));
    let tops = pages.iter().skip(1).filter_map(|page| page.first());
    for edge in tops.chain(pages.iter().filter_map(|page| page.last())) {
        furniture[*edge] |= name.is_some_and(|name| repeats(lines[*edge].text, name));
    }
    furniture
}

/// The first cell of a line, if it can be a name.
fn name_of(line: &str) -> Option<&str> {
    let name = line.trim().split("  ").next()?.trim();
    (name.chars().filter(|c| c.is_alphabetic()).count() >= 6).then_some(name)
}

/// Tells if a line is a name, perhaps with a remark: "Chain Reaction – quick reference".
fn repeats(line: &str, name: &str) -> bool {
    let line = line.trim();
    let start = line.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name));
    let rest = start.map(|start| line[start.len()..].trim_start());
    line.split_whitespace().count() <= 12
        && rest.is_some_and(|rest| rest.is_empty() || !rest.starts_with(char::is_alphanumeric))
}

/// A line that is furniture wherever it stands.
fn is_furniture(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > 400 {
        return false;
    }
    let lower = text.to_lowercase();
    let numbered = |rest: &str| {
        let rest = rest.trim();
        !rest.is_empty()
            && rest
                .split(" of ")
                .all(|n| n.trim().chars().all(|c| c.is_ascii_digit()) && !n.trim().is_empty())
    };
    if lower.strip_prefix("page ").is_some_and(numbered) {
        return true;
    }
    if let Some(at) = lower.rfind("page ")
        && numbered(&lower[at + 5..])
        && (lower[..at].ends_with("  ")
            || lower[..at].ends_with("| ")
            || lower[..at].ends_with("- "))
    {
        return true;
    }
    if text.starts_with('©')
        || lower.starts_with("copyright ")
        || lower.starts_with("(c) ")
        || lower.contains("all rights reserved")
    {
        return true;
    }
    let address =
        lower.starts_with("http://") || lower.starts_with("https://") || lower.starts_with("www.");
    address && !lower.contains(' ')
}
