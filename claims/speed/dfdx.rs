use dfdx_cells::model::{forward, forward_tracked, Dev, Images, Layers};

ensure!(!gpu && size == 0, "the CNN on a CPU is all that is here");
dfdx::flush_denormals_to_zero();
let dev = Dev::default();
let mut model = dev.build_module::<Layers, f32>();
let x: Images = dev.sample_normal_like(&(batch, Const::<3>, Const::<32>, Const::<32>));
match task {
    "train" => {
        let config = AdamConfig { lr: 1e-3, betas: [0.9, 0.999], eps: 1e-8, weight_decay: None };
        let mut adam = Adam::new(&model, config);
        let y = dev.one_hot_encode(Const::<10>, vec![0; batch]);
        let mut kept = Some(model.alloc_grads());
        timed(gpu, || {
            let grads = kept.take().context("no gradients")?;
            let loss = cross_entropy_with_logits_loss(forward_tracked(&model, x.clone().traced(grads))?, y.clone());
            loss.array();
            let mut grads = loss.backward();
            adam.update(&mut model, &grads)?;
            model.zero_grads(&mut grads);
            kept = Some(grads);
            Ok(())
        })?;
    }
    "answer" => {
        timed(gpu, || {
            forward(&model, x.clone())?.as_vec();
            Ok(())
        })?;
    }
    other => bail!("no task {other}"),
}
