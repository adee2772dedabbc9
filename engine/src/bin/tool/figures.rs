//! Figures of matches: means with their errors, and Elo.

/// Returns the mean and its standard error.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

/// Returns what a share of the points is worth, kept finite for a clean sweep.
pub fn elo(share: f64) -> f64 {
    let share = share.clamp(0.002, 0.998);
    -400.0 * (1.0 / share - 1.0).log10()
}
