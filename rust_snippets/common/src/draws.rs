//! Random numbers that a seed decides: the same in every engine and on every machine.

/// The generator SplitMix64. The standard library has none of its own.
#[derive(Clone, Debug)]
pub struct Draws(u64);

impl Draws {
    /// Starts a row of numbers; the same seed gives the same row.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end - 1`.
    ///
    /// # Panics
    /// If `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next_u64() % end as u64) as usize // uneven by less than `end` in 2^64
    }

    /// The numbers `0..n` in a random order.
    pub fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for last in (1..n).rev() {
            order.swap(last, self.below(last + 1)); // Fisher and Yates
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut draws = Draws::new(0);
        assert_eq!(draws.next_u64(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(draws.next_u64(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn a_shuffle_names_each_number_once_and_follows_the_seed() {
        let order = Draws::new(1).shuffled(100);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
        assert_ne!(order, sorted);
        assert_eq!(order, Draws::new(1).shuffled(100));
        assert_ne!(order, Draws::new(2).shuffled(100));
        assert!(Draws::new(1).shuffled(0).is_empty());
    }
}
