use burn::module::ModuleVisitor;
use burn::nn::{Linear, LinearConfig};

struct Big {
    limit: f32,
    count: usize,
}

impl ModuleVisitor for Big {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        // BEGIN SOLUTION
        let above = param.val().abs().greater_scalar(self.limit).int().sum();
        let above: i64 = above.try_into_scalar().expect("a count");
        self.count += above as usize;
        // END SOLUTION
    }
}

fn big(module: &impl Module, limit: f32) -> usize {
    let mut visitor = Big { limit, count: 0 };
    module.visit(&mut visitor);
    visitor.count
}

// BEGIN HIDDEN TESTS
#[derive(Module, Debug)]
struct Two {
    first: Linear,
    second: Linear,
}

let device = Device::flex();
let layer = |numbers: [[f32; 2]; 2], bias: [f32; 2]| {
    let mut layer = LinearConfig::new(2, 2).init(&device);
    layer.weight = Param::from_tensor(Tensor::from_floats(numbers, &device));
    layer.bias = Some(Param::from_tensor(Tensor::from_floats(bias, &device)));
    layer
};
let first = layer([[1., -2.], [0.5, 3.]], [0., -4.]);
assert_eq!(
    big(&first, 1.5),
    3,
    "2, 3 and 4 are above 1.5: the sign does not count, the bias does"
);
assert_eq!(big(&first, 1.), 3, "1 is not above 1");
let two = Two {
    second: layer([[9., 0.], [0., 0.]], [0., 0.]),
    first,
};
assert_eq!(big(&two, 1.5), 4, "inner modules are visited too");
assert_eq!(big(&two, 100.), 0, "nothing is above 100");
// END HIDDEN TESTS
