//! Charts and fights that were sampled.

use crate::{Entries, NotFollowedData, ShareData};
use adjutant_engine::{Chance, Counted, Evidence, wilson};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// How often each outcome came.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SampleData<'s> {
    pub pack: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fight: Option<&'s str>,
    /// How many samples were asked for.
    pub asked: u64,
    pub samples: u64,
    pub seed: u64,
    pub threads: usize,
    pub seconds: f64,
    /// Whether the exact chances are known.
    pub exact: bool,
    pub outcomes: Vec<SampledOutcome<'s>>,
    /// The charts that would follow and were not run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_followed: Vec<NotFollowedData<'s>>,
    pub chi_square: Option<ChiSquare>,
    #[serde(flatten)]
    pub means: Option<SampledMeans>,
}

/// How often an outcome came.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SampledOutcome<'s> {
    pub chart: Option<&'s str>,
    pub id: &'s str,
    pub title: &'s str,
    pub on: Option<&'s str>,
    pub count: u64,
    pub share: f64,
    pub interval_95: (f64, f64),
    /// Its chance, where that is known.
    pub chance: Option<ShareData>,
}

impl<'s> SampledOutcome<'s> {
    /// What was counted in so many samples. `chance` says whether and how its chance is known.
    pub fn new(counted: &'s Counted, samples: u64, known: Known) -> SampledOutcome<'s> {
        let what = &counted.what;
        SampledOutcome {
            chart: what.chart.as_deref(),
            id: &what.id,
            title: &what.title,
            on: what.on.as_deref(),
            count: counted.count,
            share: counted.count as f64 / samples.max(1) as f64,
            interval_95: wilson(counted.count, samples),
            chance: match known {
                Known::No => None,
                Known::Near => Some(ShareData::near(&what.chance)),
                Known::Exact => Some(ShareData::exact(&what.chance)),
            },
        }
    }
}

/// How well the chances behind a sample are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// There are too many ways to compute them.
    No,
    /// They were computed in floats.
    Near,
    Exact,
}

/// How far the counts are from the exact chances.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ChiSquare {
    pub value: f64,
    pub freedom: usize,
}

impl From<Evidence> for ChiSquare {
    fn from(evidence: Evidence) -> ChiSquare {
        ChiSquare { value: evidence.chi_square, freedom: evidence.freedom }
    }
}

/// What a fight took on average.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SampledMeans {
    pub rounds: Option<SampledMean>,
    /// How many units each side lost.
    pub lost: Entries<String, SampledMean>,
}

/// A number on average.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SampledMean {
    pub mean: f64,
    pub interval_95: (f64, f64),
    /// The expected number, where that is known.
    pub exactly: Option<ExpectedMean>,
}

/// An expected number.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ExpectedMean {
    pub exact: Option<String>,
    pub value: f64,
}

impl SampledMean {
    /// A counted mean with half the width of its 95 % interval, and what is expected.
    pub fn new(mean: f64, off: f64, expected: Option<&Chance>, near: bool) -> SampledMean {
        let exactly = expected.map(|exact| ExpectedMean {
            exact: (!near).then(|| exact.exact()),
            value: exact.value(),
        });
        SampledMean { mean, interval_95: (mean - off, mean + off), exactly }
    }
}
