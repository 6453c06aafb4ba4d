//! Weights by name, in safetensors files, with PyTorch's names and layouts.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use anyhow::{ensure, Context, Result};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

/// Names and shapes of the CNN's parameters, as `state_dict()` has them in PyTorch.
pub const CNN: [(&str, &[usize]); 6] = [
    ("conv1.weight", &[32, 3, 3, 3]),
    ("conv1.bias", &[32]),
    ("conv2.weight", &[64, 32, 3, 3]),
    ("conv2.bias", &[64]),
    ("fc.weight", &[10, 4096]),
    ("fc.bias", &[10]),
];

/// f32 tensors by name.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

impl Weights {
    /// Reads a file that must hold exactly the `expected` names, each f32 and of its shape.
    pub fn read(path: impl AsRef<Path>, expected: &[(&str, &[usize])]) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let file = SafeTensors::deserialize(&bytes)
            .with_context(|| format!("{name} is not a whole safetensors file"))?;
        for found in file.names() {
            ensure!(
                expected.iter().any(|(known, _)| known == found),
                "{name} holds `{found}`, which this network does not have"
            );
        }

        let mut weights = Self::default();
        for &(tensor, shape) in expected {
            let view = file
                .tensor(tensor)
                .ok()
                .with_context(|| format!("{name} has no tensor `{tensor}`"))?;
            ensure!(
                view.dtype() == Dtype::F32 && view.shape() == shape,
                "{name}: `{tensor}` is {:?} {:?}, but the network needs F32 {shape:?}",
                view.dtype(),
                view.shape()
            );
            let values = view.data().chunks_exact(4);
            let values = values.map(|b| f32::from_le_bytes(b.try_into().unwrap()));
            weights.insert(tensor, shape, values.collect());
        }
        Ok(weights)
    }

    /// The values of one tensor, in row-major order.
    ///
    /// # Panics
    /// If there is no tensor of that name; [`Weights::read`] has checked the names.
    pub fn get(&self, name: &str) -> &[f32] {
        &self.tensors[name].1
    }

    /// Adds a tensor.
    ///
    /// # Panics
    /// If the number of values does not fit the shape.
    pub fn insert(&mut self, name: &str, shape: &[usize], values: Vec<f32>) {
        let expected: usize = shape.iter().product();
        assert_eq!(values.len(), expected, "values of `{name}` {shape:?}");
        self.tensors
            .insert(name.to_string(), (shape.to_vec(), values));
    }

    /// Writes all tensors to `path`.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let mut bytes = BTreeMap::new();
        for (name, (_, values)) in &self.tensors {
            let le: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            bytes.insert(name, le);
        }
        let mut views = Vec::new();
        for (name, (shape, _)) in &self.tensors {
            let view = TensorView::new(Dtype::F32, shape.clone(), &bytes[name])?;
            views.push((name, view));
        }
        write_whole(path, |temporary| {
            Ok(safetensors::serialize_to_file(views, &None, temporary)?)
        })
    }
}

/// Lets `write` fill a temporary file and gives it its name only when it is whole and on the disk,
/// so that a reader finds the old file or the new one and never half of one. Makes the folder.
pub fn write_whole(path: impl AsRef<Path>, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let path = path.as_ref();
    let temporary = path.with_extension(format!("{}.tmp.safetensors", std::process::id()));
    let replace = || -> Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        write(&temporary)?;
        File::open(&temporary)?.sync_all()?;
        std::fs::rename(&temporary, path)?;
        Ok(())
    };
    replace()
        .inspect_err(|_| drop(std::fs::remove_file(&temporary))) // it may not exist
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [(&str, &[usize]); 2] = [("a.weight", &[2, 3]), ("a.bias", &[2])];

    fn example() -> Weights {
        let mut weights = Weights::default();
        weights.insert("a.weight", &[2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        weights.insert("a.bias", &[2], vec![-0.5, 0.25]);
        weights
    }

    #[test]
    fn written_weights_come_back_and_nothing_else_is_left() {
        let folder = crate::test_folder("weights");
        let path = folder.join("a.safetensors");
        example().write(&path).unwrap();
        let weights = Weights::read(&path, &SHAPES).unwrap();
        assert_eq!(weights.get("a.weight"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(weights.get("a.bias"), [-0.5, 0.25]);
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
    }

    #[test]
    fn wrong_shapes_and_names_are_told() {
        let path = crate::test_folder("wrong").join("a.safetensors");
        example().write(&path).unwrap();
        let refusal =
            |expected: &[(&str, &[usize])]| Weights::read(&path, expected).unwrap_err().to_string();
        assert!(refusal(&[("a.weight", &[3, 2]), ("a.bias", &[2])])
            .ends_with("`a.weight` is F32 [2, 3], but the network needs F32 [3, 2]"));
        assert!(refusal(&[("a.weight", &[2, 3])]).contains("holds `a.bias`"));
        assert!(refusal(&[SHAPES[0], SHAPES[1], ("b", &[1])]).ends_with("has no tensor `b`"));
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = crate::test_folder("failed");
        let path = folder.join("a.safetensors");
        std::fs::write(&path, "old").unwrap();
        let result = write_whole(&path, |temporary| {
            std::fs::write(temporary, "half")?;
            anyhow::bail!("the disk is full")
        });
        assert!(format!("{:#}", result.unwrap_err()).ends_with("the disk is full"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
    }
}
