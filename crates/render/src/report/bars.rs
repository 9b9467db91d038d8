//! Expected against actual as two bars, drawn as inline SVG, so that a report is one file. The
//! numbers are beside the bars and in the label: nothing depends on length or colour alone.

use maud::{Markup, html};

/// The length of the longest bar.
const LONGEST: f64 = 170.0;

/// Two bars: the expected range and the actual value.
pub(super) fn bars(expected: (f64, f64), actual: f64, scale: f64, words: (&str, &str)) -> Markup {
    let long =
        |value: f64| if scale > 0.0 { (value / scale * LONGEST).clamp(0.0, LONGEST) } else { 0.0 };
    let (least, most, actual) = (long(expected.0), long(expected.1), long(actual));
    let label = format!("expected {}, actual {}", words.0, words.1);
    html! {
        svg.bars viewBox="0 0 240 36" role="img" aria-label=(label) {
            rect.track x="0" y="3" width=(round(LONGEST)) height="12" rx="2" {}
            rect.hoped x="0" y="3" width=(round(most.max(1.0))) height="12" rx="2" {}
            @if most - least > 1.0 { rect.doubt x=(round(least)) y="3" width=(round(most - least)) height="12" {} }
            text x=(round(most.max(1.0) + 5.0)) y="13" { (words.0) }
            rect.track x="0" y="20" width=(round(LONGEST)) height="12" rx="2" {}
            rect.actual x="0" y="20" width=(round(actual.max(1.0))) height="12" rx="2" {}
            text.strong x=(round(actual.max(1.0) + 5.0)) y="30" { (words.1) }
        }
    }
}

fn round(value: f64) -> String {
    format!("{value:.1}")
}
