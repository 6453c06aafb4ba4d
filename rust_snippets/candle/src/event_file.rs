//! Scalars in the file format of TensorBoard: records of protocol-buffer bytes, each with its check sums.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

pub struct EventFile(File);

impl EventFile {
    /// Begins a file in `folder`, by the name that TensorBoard looks for.
    pub fn create(folder: impl AsRef<Path>) -> Result<Self> {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let path = folder
            .as_ref()
            .join(format!("events.out.tfevents.{seconds}.candle"));
        let file =
            File::create(&path).with_context(|| format!("cannot make {}", path.display()))?;
        let mut events = Self(file);
        events.record(&field(3, b"brain.Event:2"))?; // Event.file_version
        Ok(events)
    }

    /// Adds one point to the curve called `tag`.
    pub fn scalar(&mut self, tag: &str, step: u64, value: f32) -> Result<()> {
        let mut point = field(1, tag.as_bytes()); //                Value.tag
        point.push(2 << 3 | 5); //                                  Value.simple_value, 4 bytes
        point.extend(value.to_le_bytes());
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let mut event = vec![1 << 3 | 1]; //                        Event.wall_time, 8 bytes
        event.extend(now.as_secs_f64().to_le_bytes());
        event.push(2 << 3); //                                      Event.step
        event.extend(varint(step));
        event.extend(field(5, &field(1, &point))); //               Event.summary, Summary.value
        self.record(&event)
    }

    fn record(&mut self, data: &[u8]) -> Result<()> {
        let length = (data.len() as u64).to_le_bytes();
        for part in [&length, &check_sum(&length)[..], data, &check_sum(data)] {
            self.0.write_all(part)?;
        }
        Ok(())
    }
}

/// Field `number` with bytes in it.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let head = [number << 3 | 2];
    [&head, &varint(bytes.len() as u64)[..], bytes].concat()
}

/// Seven bits a byte, the lowest first; the eighth bit says that more follow.
fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// CRC-32C, turned and shifted as TensorFlow's record files want it.
fn check_sum(data: &[u8]) -> [u8; 4] {
    let crc = crc32c(data);
    crc.rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

fn crc32c(data: &[u8]) -> u32 {
    let step = |crc: u32, _| (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg());
    let byte = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), step);
    !data.iter().fold(!0, byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_sum_is_that_of_the_standard() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283); // RFC 3720's algorithm, its usual check value
    }

    #[test]
    fn numbers_above_127_take_two_bytes() {
        assert_eq!(varint(1), [1]);
        assert_eq!(varint(300), [0xac, 0x02]);
    }
}
