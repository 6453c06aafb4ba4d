//! CIFAR-10 in its official binary layout.
//!
//! A file is a row of records of 3073 bytes: one label (0 to 9), then 1024 red, 1024 green and
//! 1024 blue bytes, each colour row by row, 32 x 32.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{ensure, Context, Result};
use sha2::{Digest, Sha256};

pub const CLASSES: usize = 10;
/// Bytes of one colour of an image: 32 x 32.
const PLANE: usize = 32 * 32;
/// Bytes of one image: three colours.
pub const PIXELS: usize = 3 * PLANE;
/// Bytes of one record: the label, then the image.
pub const RECORD: usize = 1 + PIXELS;

/// Images and labels, as bytes.
#[derive(Clone, Debug)]
pub struct CifarSet {
    /// `[N, 3, 32, 32]`, one image after the other.
    pub images: Vec<u8>,
    /// `[N]`, each 0 to 9.
    pub labels: Vec<u8>,
}

impl CifarSet {
    /// Reads the first `limit` records of `path`. A file that holds fewer is an error.
    pub fn read(path: impl AsRef<Path>, limit: usize) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display();
        let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
        let bytes = file.metadata()?.len() as usize;
        let records = bytes / RECORD;
        ensure!(
            bytes % RECORD == 0,
            "{name} is truncated: its {bytes} bytes are {records} records of {RECORD} bytes and {} more; copy it again",
            bytes % RECORD
        );
        ensure!(
            limit <= records,
            "{name} holds {records} images, but the run asks for {limit}"
        );

        let mut reader = BufReader::new(file);
        let mut record = [0; RECORD];
        let mut images = Vec::with_capacity(limit * PIXELS);
        let mut labels = Vec::with_capacity(limit);
        for index in 0..limit {
            reader
                .read_exact(&mut record)
                .with_context(|| format!("cannot read record {index} of {name}"))?;
            let label = record[0];
            ensure!(
                usize::from(label) < CLASSES,
                "{name}: label {label} at byte {} (record {index}) is not 0 to 9; copy the file again",
                index * RECORD
            );
            labels.push(label);
            images.extend_from_slice(&record[1..]);
        }
        Ok(Self { images, labels })
    }

    /// The number of images.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The bytes of one image, `[3, 32, 32]`.
    pub fn image(&self, index: usize) -> &[u8] {
        &self.images[index * PIXELS..(index + 1) * PIXELS]
    }

    /// The images at `indices` as `[B, 3, 32, 32]`, each pixel `(x / 255 - mean) / std` with its
    /// colour's mean and std, and their labels `[B]`.
    pub fn normalised_batch(
        &self,
        indices: &[usize],
        mean: [f32; 3],
        std: [f32; 3],
    ) -> (Vec<f32>, Vec<i64>) {
        let mut pixels = Vec::with_capacity(indices.len() * PIXELS);
        for &index in indices {
            for (colour, plane) in self.image(index).chunks(PLANE).enumerate() {
                let (mean, std) = (mean[colour], std[colour]);
                pixels.extend(plane.iter().map(|&x| (f32::from(x) / 255.0 - mean) / std));
            }
        }
        let labels = indices.iter().map(|&i| i64::from(self.labels[i])).collect();
        (pixels, labels)
    }

    /// SHA-256 of the records as they stand in the file, in hexadecimal.
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for (index, &label) in self.labels.iter().enumerate() {
            hash.update([label]);
            hash.update(self.image(index));
        }
        let digest = hash.finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two records: label 3 with a pixel value per colour, label 9 all white.
    fn two_records() -> Vec<u8> {
        let mut bytes = vec![3];
        for value in [0, 51, 255] {
            bytes.extend([value; PLANE]);
        }
        bytes.push(9);
        bytes.extend([255; PIXELS]);
        bytes
    }

    fn read(name: &str, bytes: &[u8], limit: usize) -> Result<CifarSet> {
        let path = crate::test_folder(name).join("train.bin");
        std::fs::write(&path, bytes).unwrap();
        CifarSet::read(path, limit)
    }

    #[test]
    fn labels_and_pixels_come_apart() {
        let set = read("apart", &two_records(), 2).unwrap();
        assert_eq!((set.len(), &set.labels[..]), (2, &[3, 9][..]));
        assert_eq!(set.image(0)[PLANE], 51);
        assert_eq!(set.image(1), [255; PIXELS]);
    }

    #[test]
    fn the_limit_takes_the_first_records() {
        assert_eq!(read("first", &two_records(), 1).unwrap().labels, [3]);
        let error = read("few", &two_records(), 3).unwrap_err().to_string();
        assert!(
            error.ends_with("holds 2 images, but the run asks for 3"),
            "{error}"
        );
    }

    #[test]
    fn each_colour_is_normalised_with_its_own_mean_and_std() {
        let set = read("normalised", &two_records(), 2).unwrap();
        let (pixels, labels) = set.normalised_batch(&[1, 0], [0.0, 0.2, 0.5], [1.0, 0.5, 0.25]);
        assert_eq!(labels, [9, 3]);
        assert_eq!(pixels.len(), 2 * PIXELS);
        let first_of = |image: usize, colour: usize| pixels[image * PIXELS + colour * PLANE];
        assert_eq!(
            [first_of(0, 0), first_of(0, 1), first_of(0, 2)],
            [1.0, 1.6, 2.0]
        );
        assert_eq!(
            [first_of(1, 0), first_of(1, 1), first_of(1, 2)],
            [0.0, 0.0, 2.0]
        );
    }

    #[test]
    fn the_hash_is_that_of_the_file() {
        let bytes = two_records();
        let expected: String = Sha256::digest(&bytes)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        assert_eq!(read("hash", &bytes, 2).unwrap().sha256(), expected);
    }

    #[test]
    fn a_truncated_file_is_named() {
        let bytes = two_records();
        let error = read("truncated", &bytes[..RECORD + 100], 1)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("3173 bytes are 1 records of 3073 bytes and 100 more"),
            "{error}"
        );
    }

    #[test]
    fn a_wrong_label_is_named_by_byte_and_record() {
        let mut bytes = two_records();
        bytes[RECORD] = 10;
        let error = read("label", &bytes, 2).unwrap_err().to_string();
        assert!(
            error.contains("label 10 at byte 3073 (record 1)"),
            "{error}"
        );
    }
}
