struct Slots {
    buffer: Tensor,
}

impl Slots {
    fn new(count: i64, height: i64, width: i64) -> Self {
        Self {
            buffer: Tensor::zeros([count, 3, height, width], (Kind::Float, Device::Cpu)),
        }
    }

    fn put(&mut self, index: i64, pixels: &[f32]) -> Result<()> {
        // BEGIN SOLUTION
        let count = self.buffer.size()[0];
        ensure!(
            (0..count).contains(&index),
            "there is no slot {index}, only {count}"
        );
        let mut slot = self.buffer.get(index).view(-1);
        ensure!(
            pixels.len() == slot.numel(),
            "a picture has {} numbers, not {}",
            slot.numel(),
            pixels.len()
        );
        slot.copy_(&Tensor::from_slice(pixels));
        Ok(())
        // END SOLUTION
    }

    fn batch(&self, first: i64, count: i64) -> Result<Tensor> {
        // BEGIN SOLUTION
        let slots = self.buffer.size()[0];
        ensure!(
            first >= 0 && count >= 0 && first + count <= slots,
            "{count} slots from {first} on: there are only {slots}"
        );
        Ok(self.buffer.narrow(0, first, count))
        // END SOLUTION
    }
}

// BEGIN HIDDEN TESTS
let mut slots = Slots::new(4, 2, 2);
let place = slots.buffer.data_ptr() as usize;
slots.put(1, &[1.; 12])?;
slots.put(2, &[2.; 12])?;
let batch = slots.batch(1, 2)?;
assert_eq!(batch.size(), [2, 3, 2, 2], "two slots are [2, 3, 2, 2]");
assert_eq!(
    Vec::<f32>::try_from(batch.mean_dim([1i64, 2, 3].as_slice(), false, Kind::Float))?,
    [1., 2.],
    "the batch must hold pictures 1 and 2"
);
assert_eq!(
    batch.data_ptr() as usize - place,
    12 * size_of::<f32>(),
    "the batch must be a view of the buffer that begins at slot 1"
);
slots.put(2, &[5.; 12])?;
assert_eq!(
    batch.get(1).double_value(&[0, 0, 0]),
    5.,
    "a later put must be seen in the view"
);
assert_eq!(
    slots.buffer.data_ptr() as usize,
    place,
    "the buffer must not be allocated anew"
);
assert_eq!(
    slots.buffer.get(0).sum(Kind::Float).double_value(&[]),
    0.,
    "slot 0 was never written"
);

assert!(
    slots.put(4, &[1.; 12]).is_err(),
    "slot 4 of 4 does not exist: an Err"
);
assert!(
    slots.put(-1, &[1.; 12]).is_err(),
    "slot -1 does not exist: an Err"
);
assert!(
    slots.put(0, &[1.; 11]).is_err(),
    "eleven numbers are no picture: an Err"
);
assert!(
    slots.put(0, &[1.]).is_err(),
    "one number must not be spread over the picture: an Err"
);
assert!(slots.batch(3, 2).is_err(), "slots 3 and 4 of 4: an Err");
assert!(slots.batch(-1, 1).is_err(), "a batch from slot -1: an Err");
// END HIDDEN TESTS
