//! What Burn's own training loop asks of the network in model.rs: one step, and one look.

use burn::nn::loss::CrossEntropyLossConfig;
use burn::train::{ClassificationOutput, InferenceStep, TrainOutput, TrainStep};

use crate::loader::Batch;
use crate::model::Cnn;

impl Cnn {
    /// Loss, logits and labels: all that the metrics need.
    fn classify(&self, batch: Batch) -> ClassificationOutput {
        let cross_entropy = CrossEntropyLossConfig::new().init(&batch.images.device());
        let logits = self.forward(batch.images); // [B, 10]
        let loss = cross_entropy.forward(logits.clone(), batch.labels.clone()); // [1]
        ClassificationOutput::new(loss, logits, batch.labels)
    }
}

impl TrainStep for Cnn {
    type Input = Batch;
    type Output = ClassificationOutput;

    fn step(&self, batch: Batch) -> TrainOutput<ClassificationOutput> {
        let output = self.classify(batch);
        TrainOutput::new(self, output.loss.backward(), output)
    }
}

impl InferenceStep for Cnn {
    type Input = Batch;
    type Output = ClassificationOutput;

    fn step(&self, batch: Batch) -> ClassificationOutput {
        self.classify(batch)
    }
}
