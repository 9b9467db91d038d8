//! Pages of a program that turns PDF into HTML: every line or cell has its place on the page. They are set
//! as a page of text, whose columns the reader of plain text finds.

use super::super::cell_text;
use super::super::translate::Copy;
use super::{decode, find_ignoring_case, tag_end, without_tags};
use std::ops::Range;

/// The fewest texts with a place that make such a page.
const LEAST: usize = 8;

/// The farthest apart that the tops of texts on one line may be.
const SAME_LINE: f64 = 4.0;

/// The narrowest and the widest character, in units of the page.
const NARROWEST: f64 = 3.0;
const WIDEST: f64 = 8.0;

/// The longest text with a place, in bytes.
const LONGEST: usize = 1500;

/// A text and its place.
struct Placed {
    page: usize,
    top: f64,
    left: f64,
    text: String,
    at: Range<usize>,
}

/// The page of text, if most of a source has places and there is no table.
pub(in crate::source) fn copy(source: &str) -> Option<Copy> {
    if find_ignoring_case(source, "<table").is_some()
        || find_ignoring_case(source, "left:").is_none()
    {
        return None;
    }
    let mut all = placed(source);
    let all_text = || super::rows(source).iter().map(|row| row.text().len()).sum::<usize>();
    let own = all.iter().map(|one| one.text.len()).sum::<usize>();
    if all.len() < LEAST || own * 10 < all_text() * 8 {
        return None;
    }
    all.sort_by(|a, b| {
        (a.page, a.top).partial_cmp(&(b.page, b.top)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut lines: Vec<Vec<Placed>> = Vec::new();
    for one in all {
        match lines.last_mut() {
            Some(line) if line[0].page == one.page && one.top - line[0].top < SAME_LINE => {
                line.push(one);
            }
            _ => lines.push(vec![one]),
        }
    }
    for line in &mut lines {
        line.sort_by(|a, b| a.left.total_cmp(&b.left));
    }
    Some(page(&lines))
}

/// Sets the lines with blanks between their texts and blank lines where there is room.
fn page(lines: &[Vec<Placed>]) -> Copy {
    let room =
        |pair: &[Placed]| (pair[1].left - pair[0].left) / (pair[0].text.chars().count() + 2) as f64;
    let pairs = lines.iter().flat_map(|line| line.windows(2)).map(room);
    let unit = pairs.filter(|room| *room >= NARROWEST).fold(WIDEST, f64::min);
    let mut steps: Vec<f64> = lines
        .windows(2)
        .filter(|pair| pair[0][0].page == pair[1][0].page)
        .map(|pair| pair[1][0].top - pair[0][0].top)
        .collect();
    steps.sort_by(f64::total_cmp);
    let step = steps.get(steps.len() / 2).copied().unwrap_or(12.0);
    let mut made = Copy::default();
    let mut last: Option<&Placed> = None;
    for line in lines {
        match last {
            Some(last) if last.page != line[0].page => made.text.push('\u{c}'),
            Some(last) if line[0].top - last.top > 1.5 * step => made.blank(),
            _ => {}
        }
        last = line.first();
        let mut width = 0;
        for (place, one) in line.iter().enumerate() {
            let column = (one.left / unit).clamp(0.0, 400.0) as usize;
            let apart = place > 0 && room(&line[place - 1..=place]) >= NARROWEST;
            let least = width + usize::from(place > 0) + usize::from(apart);
            let column = if place == 0 || apart { column.max(least) } else { least };
            made.text.push_str(&" ".repeat(column - width));
            made.push(&one.text, one.at.clone());
            width = column + one.text.chars().count();
        }
        made.blank();
    }
    made
}

/// The texts with a place, in the order of the source.
fn placed(source: &str) -> Vec<Placed> {
    let mut placed = Vec::new();
    let (mut page, mut at) = (0, 0);
    while let Some(open) = source[at..].find('<').map(|open| at + open) {
        let Some(end) = tag_end(&source[open..]).map(|end| open + end + 1) else { break };
        let tag = &source[open..end];
        at = end;
        let name: String =
            tag[1..].chars().take_while(char::is_ascii_alphanumeric).collect::<String>();
        let (Some(top), Some(left)) = (measure(tag, "top:"), measure(tag, "left:")) else {
            page += usize::from(find_ignoring_case(tag, "id=\"page").is_some());
            continue;
        };
        if !["p", "span", "div"].contains(&name.to_ascii_lowercase().as_str()) {
            continue;
        }
        // A box with places inside it is only a frame.
        let mut near = (end + LONGEST).min(source.len());
        while !source.is_char_boundary(near) {
            near -= 1;
        }
        let Some(close) = find_ignoring_case(&source[end..near], &format!("</{name}")) else {
            continue;
        };
        let inner = &source[end..end + close];
        if find_ignoring_case(inner, "left:").is_some() {
            continue;
        }
        let inner = inner.replace("<br/>", " ").replace("<br>", " ");
        let text = cell_text(&decode(&without_tags(&inner)));
        if !text.is_empty() {
            placed.push(Placed { page, top, left, text, at: end..end + close });
        }
        at = end + close;
    }
    placed
}

/// The number after a word of a style: 80 of "left:80px".
fn measure(tag: &str, word: &str) -> Option<f64> {
    let mut from = 0;
    loop {
        let at = from + find_ignoring_case(&tag[from..], word)?;
        from = at + word.len();
        // "margin-left:" is something else.
        if !tag[..at].ends_with('-') {
            break;
        }
    }
    let figures = tag[from..].trim_start();
    let end = figures.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(figures.len());
    figures[..end].parse::<f64>().ok().filter(|n| n.is_finite())
}

#[cfg(test)]
mod tests {
    use crate::model::Format;
    use crate::source::rows;

    #[test]
    fn places_become_columns() {
        let cell = |top: u32, left: u32, text: &str| {
            format!("<p style=\"position:absolute;top:{top}px;left:{left}px\">{text}</p>\n")
        };
        let mut source = String::from("<html><body><div id=\"page1\">\n");
        let lines =
            [("Score", "Effect"), ("1&#45;2", "Miss"), ("3+", "<b>Hit</b>"), ("7+", "Two hits")];
        for (line, (score, effect)) in lines.iter().enumerate() {
            source += &cell(100 + 18 * line as u32, 180, effect);
            source += &cell(100 + 18 * line as u32, 80, score);
        }
        let rows_of_page = rows(&source, Format::Html);
        let shown: Vec<String> = rows_of_page
            .iter()
            .map(|row| row.cells.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join("|"))
            .collect();
        assert_eq!(shown, ["Score|Effect", "1-2|Miss", "3+|Hit", "7+|Two hits"]);
        assert_eq!(&source[rows_of_page[3].cells[1].at.clone()], "Two hits");
    }
}
