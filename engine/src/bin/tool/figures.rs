//! Figures of matches: means with their errors, and Elo.

/// How many standard errors to either side make an interval of 95 %.
pub const REACH: f64 = 1.96;

/// Returns the mean and its standard error.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

/// Returns what the mean of shares is worth in Elo, and the ends of its interval of 95 %.
pub fn elo_with_interval(shares: &[f64]) -> [f64; 3] {
    let (share, error) = mean_and_error(shares);
    [share, share - REACH * error, share + REACH * error].map(elo)
}

/// Returns what a share of the points is worth, kept finite for a clean sweep.
fn elo(share: f64) -> f64 {
    let share = share.clamp(0.002, 0.998);
    -400.0 * (1.0 / share - 1.0).log10()
}
