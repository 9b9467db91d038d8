//! Problems of the section `[pack]`.

use adjutant_dice::{Number, Text};

problems!(
    /// An invalid key of the section `[pack]`.
    HeadProblem {
        Format { found: Number } = "unknown-format",
        License { found: Text } = "bad-license",
        Url { found: Text } = "bad-url",
        Language { found: Text } = "bad-language",
    }
);
