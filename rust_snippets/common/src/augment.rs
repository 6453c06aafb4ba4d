//! Augmentation of one CIFAR-10 image, as bytes `[3, 32, 32]`. No framework: every engine can call it.

use crate::cifar::PIXELS;

const SIDE: usize = 32;

/// Mirrors the image, left to right.
pub fn flip(image: &mut [u8]) {
    for row in image.chunks_exact_mut(SIDE) {
        row.reverse();
    }
}

/// Lays a margin of `pad` zeros around the image and cuts a 32 x 32 window out of that, whose corner
/// is at row `top` and column `left`, each 0 to `2 * pad`. With `pad` for both, the image stays.
///
/// # Panics
/// If `top` or `left` is larger than that.
pub fn crop(image: &[u8], pad: usize, top: usize, left: usize) -> Vec<u8> {
    assert!(
        top <= 2 * pad && left <= 2 * pad,
        "the window ({top}, {left}) must lie in a margin of {pad}"
    );
    let mut window = vec![0; PIXELS];
    for (row, pixels) in window.chunks_exact_mut(SIDE).enumerate() {
        let (plane, y) = (row / SIDE, row % SIDE);
        for (x, pixel) in pixels.iter_mut().enumerate() {
            let (y, x) = ((y + top).wrapping_sub(pad), (x + left).wrapping_sub(pad));
            if y < SIDE && x < SIDE {
                *pixel = image[(plane * SIDE + y) * SIDE + x];
            }
        }
    }
    window
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pixel tells its place, modulo 251.
    fn image() -> Vec<u8> {
        (0..PIXELS).map(|place| (place % 251) as u8 + 1).collect()
    }

    #[test]
    fn flip_mirrors_each_row_and_twice_is_nothing() {
        let mut flipped = image();
        flip(&mut flipped);
        assert_eq!(flipped[0], image()[31]);
        assert_eq!(flipped[33 * SIDE + 1], image()[33 * SIDE + 30]);
        flip(&mut flipped);
        assert_eq!(flipped, image());
    }

    #[test]
    fn a_crop_in_the_middle_is_the_image() {
        assert_eq!(crop(&image(), 4, 4, 4), image());
    }

    #[test]
    fn a_crop_at_a_corner_moves_the_picture_and_fills_with_zeros() {
        let moved = crop(&image(), 4, 0, 6); // 4 rows down, 2 columns left
        assert_eq!(moved[..4 * SIDE], [0; 4 * SIDE]);
        assert_eq!(moved[4 * SIDE], image()[2]);
        assert_eq!(moved[4 * SIDE + 29..5 * SIDE], [image()[31], 0, 0]);
        let green = SIDE * SIDE;
        assert_eq!(moved[green + 5 * SIDE], image()[green + SIDE + 2]);
        assert_eq!(moved[green], 0);
    }

    #[test]
    #[should_panic(expected = "must lie in a margin of 4")]
    fn a_window_outside_the_margin_is_refused() {
        crop(&image(), 4, 9, 0);
    }
}
