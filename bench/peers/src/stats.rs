//! Order statistics. SPDX-License-Identifier: Apache-2.0
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    #[serde(rename = "median_ns")]
    pub median: f64,
    #[serde(rename = "q1_ns")]
    pub q1: f64,
    #[serde(rename = "q3_ns")]
    pub q3: f64,
    #[serde(rename = "min_ns")]
    pub min: f64,
    pub n: usize,
}

/// None for no samples.
pub fn summary(samples: impl Iterator<Item = f64>) -> Option<Summary> {
    let mut sorted: Vec<f64> = samples.collect();
    sorted.sort_by(f64::total_cmp);
    let &min = sorted.first()?;
    let at = |share| quantile(&sorted, share);
    Some(Summary { median: at(0.5), q1: at(0.25), q3: at(0.75), min, n: sorted.len() })
}

/// Between two samples the value is interpolated.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::{Summary, summary};

    #[test]
    fn quartiles_are_interpolated() {
        let expected = Summary { median: 2.5, q1: 1.75, q3: 3.25, min: 1.0, n: 4 };
        assert_eq!(summary([4.0, 1.0, 3.0, 2.0].into_iter()), Some(expected));
    }

    #[test]
    fn nothing_has_no_summary() {
        assert_eq!(summary(std::iter::empty()), None);
    }
}
