use burn::data::dataloader::batcher::Batcher;
use common::{Draws, augment::flip};

#[derive(Clone, Debug)]
struct Item {
    index: usize,
    image: Vec<u8>, // 3 x 32 x 32
}

struct SeededFlip {
    seed: u64,
}

impl Batcher<Item, Vec<Vec<u8>>> for SeededFlip {
    fn batch(&self, items: Vec<Item>, _device: &Device) -> Vec<Vec<u8>> {
        // BEGIN SOLUTION
        let augment = |mut item: Item| {
            if Draws::new(self.seed ^ item.index as u64).below(2) == 1 {
                flip(&mut item.image);
            }
            item.image
        };
        items.into_iter().map(augment).collect()
        // END SOLUTION
    }
}

// BEGIN HIDDEN TESTS
use burn::data::{dataloader::DataLoaderBuilder, dataset::InMemDataset};

let image = |index: usize| {
    (0..3072)
        .map(|place| (place % 32 + index) as u8)
        .collect::<Vec<u8>>()
};
let items: Vec<Item> = (0..40)
    .map(|index| Item {
        index,
        image: image(index),
    })
    .collect();
let epoch = |seed: u64, workers: usize| -> Result<Vec<Vec<u8>>> {
    let loader = DataLoaderBuilder::new(SeededFlip { seed })
        .batch_size(8)
        .num_workers(workers)
        .build(InMemDataset::new(items.clone()));
    Ok(loader.iter().collect::<Result<Vec<_>, _>>()?.concat())
};
let plain = epoch(0, 0)?;
let wanted = |index: usize, seed: u64| {
    let mut wanted = image(index);
    if Draws::new(seed ^ index as u64).below(2) == 1 {
        flip(&mut wanted);
    }
    wanted
};
assert_eq!(plain.len(), 40, "each item must give one image");
for (index, found) in plain.iter().enumerate() {
    assert!(
        *found == wanted(index, 0),
        "image {index} is not flipped as its own seed says"
    );
}
let (mut one, mut two) = (plain.clone(), epoch(0, 2)?);
one.sort();
two.sort();
assert!(one == two, "two workers must make the same images as none");
assert!(epoch(1, 0)? != plain, "another seed must flip other images");
// END HIDDEN TESTS
