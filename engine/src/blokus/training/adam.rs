//! The Adam method of gradient descent.

const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const TINY: f32 = 1.0e-8;

/// The memory of Adam for one list of weights.
#[derive(Clone, Debug)]
pub struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

impl Adam {
    pub fn new(count: usize) -> Self {
        Adam { first: vec![0.0; count], second: vec![0.0; count], steps: 0 }
    }

    /// Moves the weights against the gradient.
    pub fn step<'a>(
        &mut self,
        weights: impl Iterator<Item = &'a mut f32>,
        gradient: impl Iterator<Item = f32>,
        rate: f32,
    ) {
        self.steps += 1;
        let first_scale = 1.0 / (1.0 - FIRST_DECAY.powi(self.steps));
        let second_scale = 1.0 / (1.0 - SECOND_DECAY.powi(self.steps));
        let memory = self.first.iter_mut().zip(&mut self.second);
        for ((weight, gradient), (first, second)) in weights.zip(gradient).zip(memory) {
            *first += (1.0 - FIRST_DECAY) * (gradient - *first);
            *second += (1.0 - SECOND_DECAY) * (gradient * gradient - *second);
            *weight -= rate * (*first * first_scale) / ((*second * second_scale).sqrt() + TINY);
        }
    }
}

/// Returns the rate at a part (0 to 1) of the training: a half wave that ends low.
pub fn cosine_rate(highest: f32, part: f32) -> f32 {
    const LOWEST: f32 = 0.01;
    let wave = 0.5 * (1.0 + (std::f32::consts::PI * part.clamp(0.0, 1.0)).cos());
    highest * (LOWEST + (1.0 - LOWEST) * wave)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adam_finds_the_minimum_of_a_bowl() {
        let mut weights = [5.0f32, -3.0];
        let mut adam = Adam::new(2);
        for step in 0..2000 {
            let gradient = [weights[0] - 1.0, 10.0 * (weights[1] - 2.0)];
            let rate = cosine_rate(0.05, step as f32 / 2000.0);
            adam.step(weights.iter_mut(), gradient.into_iter(), rate);
        }
        assert!((weights[0] - 1.0).abs() < 0.01 && (weights[1] - 2.0).abs() < 0.01);
    }
}
