//! Small, fast, repeatable random numbers (SplitMix64). Not for secrets.

/// A stream of random numbers that depends on its seed alone.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed ^ 0x5EED_0F5F_1E1D_BEEF);
        random.bits();
        random
    }

    /// Returns the next 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 (included) to 1 (excluded).
    #[inline(always)]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 * (1.0 / 16_777_216.0)
    }

    /// Returns a whole number below `limit`, which must not be 0.
    #[inline(always)]
    pub fn below(&mut self, limit: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// Puts the values into a random order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// Returns a number of the normal distribution with mean 0 and deviation 1.
    pub fn normal(&mut self) -> f32 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f32::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let mut first = Random::new(7);
        let mut second = Random::new(7);
        assert!((0..100).all(|_| first.bits() == second.bits()));
        assert_ne!(Random::new(8).bits(), Random::new(7).bits());
    }

    #[test]
    fn numbers_stay_below_their_limit_and_reach_all_values() {
        let mut random = Random::new(1);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[random.below(5) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| count > 100));
    }

    #[test]
    fn shuffling_keeps_all_values() {
        let mut values: Vec<u32> = (0..50).collect();
        Random::new(3).shuffle(&mut values);
        assert_ne!(values, (0..50).collect::<Vec<_>>());
        values.sort_unstable();
        assert_eq!(values, (0..50).collect::<Vec<_>>());
    }
}
