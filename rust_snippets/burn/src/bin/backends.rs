//! One network on every backend that is built in: `backends`.

#![recursion_limit = "256"]

use anyhow::Result;
use burn::prelude::*;
use burn::tensor::Distribution;
use burn_cells::model::CnnConfig;

fn main() -> Result<()> {
    let flex = Device::flex();
    let model = CnnConfig::new().init(&flex);
    let images = Tensor::<4>::random([8, 3, 32, 32], Distribution::Normal(0., 1.), &flex);
    let expected = model.forward(images.clone()); // [8, 10]

    // The list is made when the crate is built: an entry without its feature is not there.
    let devices = [
        ("flex", Device::flex()),
        #[cfg(feature = "wgpu")]
        (
            "wgpu",
            Device::wgpu(burn::tensor::DeviceKind::DefaultDevice),
        ),
        #[cfg(feature = "cuda")]
        ("cuda", Device::cuda(0)),
    ];
    for (name, device) in devices {
        let there = model.clone().fork(&device);
        let logits = there.forward(images.clone().to_device(&device));
        let away = logits.to_device(&flex) - expected.clone();
        let away: f32 = away.abs().max().try_into_scalar()?;
        println!("{name}: {device:?}, logits differ from flex by at most {away:.0e}");
    }
    Ok(())
}
