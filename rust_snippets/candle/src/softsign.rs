//! An operation of our own, `x / (1 + |x|)`, with its own gradient.

use candle_core::cpu_backend::unary_map;
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};

struct Softsign;

impl CustomOp1 for Softsign {
    fn name(&self) -> &'static str {
        "softsign"
    }

    /// `storage` may hold more than this tensor's numbers; `layout` says where those lie.
    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let y = unary_map(storage.as_slice::<f32>()?, layout, |x| x / (1. + x.abs()));
        Ok((CpuStorage::F32(y), layout.shape().clone()))
    }

    /// The derivative is `1 / (1 + |x|)^2`.
    fn bwd(&self, x: &Tensor, _y: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let slope = (x.abs()? + 1.)?.sqr()?.recip()?;
        Ok(Some((grad * slope)?))
    }
}

/// `x / (1 + |x|)` for every number; PyTorch calls it `softsign`.
pub fn softsign(x: &Tensor) -> Result<Tensor> {
    x.apply_op1(Softsign)
}
