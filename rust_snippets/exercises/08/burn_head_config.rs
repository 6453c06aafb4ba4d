use burn::nn::{Linear, LinearConfig};

// BEGIN SOLUTION
// STUB: #[derive(Config, Debug)]
// STUB: struct HeadConfig {
// STUB:     // inputs, classes, bias
// STUB: }
#[derive(Config, Debug)]
struct HeadConfig {
    inputs: usize,
    #[config(default = 10)]
    classes: usize,
    #[config(default = true)]
    bias: bool,
}
// END SOLUTION

impl HeadConfig {
    fn init(&self, device: &Device) -> Linear {
        // BEGIN SOLUTION
        LinearConfig::new(self.inputs, self.classes)
            .with_bias(self.bias)
            .init(device)
        // END SOLUTION
    }
}

// BEGIN HIDDEN TESTS
let device = Device::flex();
let layer = HeadConfig::new(64).init(&device);
assert_eq!(
    layer.weight.dims(),
    [64, 10],
    "64 inputs and the default of 10 classes"
);
assert!(
    layer.bias.is_some(),
    "there is a bias unless one says otherwise"
);

let config = HeadConfig::new(8).with_classes(3).with_bias(false);
let layer = config.init(&device);
assert_eq!(layer.weight.dims(), [8, 3], "8 inputs, with_classes(3)");
assert!(
    layer.bias.is_none(),
    "with_bias(false) must leave the bias out"
);

let json = burn::config::config_to_json(&config);
let again = HeadConfig::load_binary(json.as_bytes())?.init(&device);
assert_eq!(
    again.weight.dims(),
    [8, 3],
    "the config must survive the way to JSON and back"
);
assert!(
    again.bias.is_none(),
    "bias: false must survive the way to JSON and back"
);
// END HIDDEN TESTS
