//! Reproducible random numbers.

/// SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014): small,
/// fast, and good enough for sampling.
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below 1.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A standard normal number (Marsaglia and Bray, *A convenient method for generating normal variables*, 1964).
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.bits() as u32) * u64::from(bound)) >> 32) as u32
    }

    /// Shuffles the items (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// Appends `count` numbers below `bound`, two for each draw of 64 bits.
    ///
    /// Uses Lemire's multiplication method (*Fast random integer generation in an interval*, 2019) without
    /// its rejection step: the relative error of a probability is less than `bound / 2^32`.
    pub fn fill_below(&mut self, bound: u32, count: usize, numbers: &mut Vec<u32>) {
        let scaled = |half: u32| ((u64::from(half) * u64::from(bound)) >> 32) as u32;
        for _ in 0..count / 2 {
            let bits = self.bits();
            numbers.extend([scaled(bits as u32), scaled((bits >> 32) as u32)]);
        }
        if count % 2 == 1 {
            numbers.push(scaled(self.bits() as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_split_mix() {
        // The first numbers for the seed 1234567, from Vigna's reference implementation, splitmix64.c.
        let mut random = Random::new(1_234_567);
        let first = [(); 5].map(|()| random.bits());
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(first, expected);
    }

    #[test]
    fn numbers_are_below_the_bound_and_even() {
        let mut numbers = Vec::new();
        Random::new(0).fill_below(6, 60_001, &mut numbers);
        assert_eq!(numbers.len(), 60_001);
        for face in 0..6 {
            let count = numbers.iter().filter(|number| **number == face).count();
            // The expected count is 10,000, with a standard deviation of 91.
            assert!((9_600..10_400).contains(&count), "{face}: {count}");
        }
        assert!(numbers.iter().all(|number| *number < 6));
    }
}
