//! Chance tables.

use super::model::Table;
use sheet::{Chart, Pack};

/// The chance tables of a chart.
pub(super) fn tables(_pack: &Pack, _chart: &Chart) -> Vec<Table> {
    Vec::new()
}
