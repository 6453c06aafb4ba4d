"""Plausible wrong answers: what to replace in an exercise's solution. Each of them has to fail."""

Change = tuple[str, str]
WRONG_ANSWERS: dict[str, list[tuple[Change, ...]]] = {
    "cnn_one_block": [(("padding=1", "padding=0"),), (("self.conv(x).relu()", "self.conv(x)"),)],
    "cnn_kept_batch": [(("range(0, len(order), batch_size)", "range(0, len(order) - batch_size + 1, batch_size)"),)],
    "cnn_per_class": [(("labels[predicted == labels]", "predicted"),)],
    "cnn_cross_entropy": [(("torch.logsumexp(logits, dim=1)", "logits.exp().sum(1).log()"),), ((".mean()", ".sum()"),)],
    "cnn_read_header": [
        ((' if name != "__metadata__"', ""),),
        (("file.read(length)", "file.read(length + 1)[: length - 1]"),),
    ],
    "cnn_first_rust": [((" + outputs", ""),)],
    "engines_normalised": [(("/ 255.0 - mean", "- mean"),), (("255.0", "256.0"),)],
    "engines_without_backend": [(("x.clone()) + x", "x.clone()) + activation::relu(x)"),)],
    "engines_adam_defaults": [(("        weight_decay: 0.0,\n", ""),)],
    "engines_candle_block": [
        (("candle_cells::model::max_pool2(&x)?", "x.max_pool2d(2)?"),),
        (("?.relu()?", "?"),),
    ],
    "engines_tch_step": [
        (("optimizer.backward_step(&loss);", "loss.backward();\n    optimizer.step();"),),
        (("    optimizer.backward_step(&loss);\n", ""),),
    ],
    "steps_mean_or_none": [(("values.is_empty()", "false"),)],
    "steps_pass_it_on": [(("to_scalar::<f32>()?", "to_scalar::<f32>().unwrap()"),)],
    "steps_learning_rate": [
        (("rate > 0.0 && rate.is_finite()", "!(rate <= 0.0)"),),
        (("rate > 0.0 && rate.is_finite()", "rate >= 0.0"),),
        (("text.trim()", "text"),),
    ],
    "steps_no_panic": [(("a.f_matmul(b).ok()", "Some(a.matmul(b))"),)],
    "steps_centred_rows": [(("mean::<Rank1<2>, _>", "mean::<Rank0, _>"),)],
    "steps_log_sum_exp": [
        (("x.clone().max_dim(1)", "x.clone().max().reshape([1, 1])"),),
        (("(x - largest.clone()).exp().sum_dim(1).log() + largest", "x.exp().sum_dim(1).log()"),),
    ],
    "ownership_move_a_line": [(("first.to_scalar::<f32>()?", "1.9f32"),)],
    "ownership_centred": [(("mean();", "sum();"),)],
    "ownership_look_at_field": [(("-> &Tensor", "-> Tensor"), ("&net.weight", "net.weight.copy()"))],
    "ownership_in_threads": [(("own.sum(Kind::Double)", "own.mean(Kind::Double)"),)],
    "ownership_batches": [(("left.min(self.size)", "self.size"),), ((".filter(|&left| left > 0)", ""),)],
    "ownership_one_lock": [
        (
            ("let mut held = total.lock().unwrap();", "let held = total.lock().unwrap().clone();"),
            ("*held = changed", "*total.lock().unwrap() = changed"),
        )
    ],
    "mlp_strict_mse": [
        (
            ("prediction.dims() == target", "target.dims() == target"),
            ("(prediction - target)?", "prediction.broadcast_sub(target)?"),
        )
    ],
    "mlp_repaired_step": [(("optimizer.backward_step(&loss)?;", "loss.backward()?;"),)],
    "mlp_spread": [(("mean_square.sqrt()", "mean_square"),)],
    "mlp_gradient_by_hand": [((" / x.size()[0] as f64", ""),), (("x.tr()", "w.tr()"),)],
    "mlp_half_batches": [
        (("x.size()[0] as f64 / all as f64", "1.0 / parts.len() as f64"),),
        (("    optimizer.zero_grad();\n", ""),),
    ],
    "mlp_momentum": [((" + grad)?", " + (grad * (1.0 - self.momentum))?)?"),)],
    "candle_standardise": [
        (("sqr()?.mean_keepdim", "sqr()?.sum_keepdim"),),
        (("x.mean_keepdim(1)", "x.mean_keepdim(0)"),),
    ],
    "candle_pictures": [
        ((".contiguous()?", ""),),
        (("(0, 3, 1, 2)", "(0, 3, 2, 1)"),),
    ],
    "candle_early_exit": [
        (("x = next;", "x = next.detach();"),),
        (("change <= limit", "change <= limit || steps > 3"),),
    ],
    "candle_leaky_op": [
        (("(grad * 0.1)", "grad.zeros_like()"),),
        (("where_cond(grad,", "where_cond(&grad.ones_like()?,"),),
    ],
    "candle_quantised_linear": [
        (("weight.forward(x)?.broadcast_add(bias)", "{ let _ = bias; weight.forward(x) }"),),
    ],
    "burn_head_config": [
        (("            .with_bias(self.bias)\n", ""),),
        (("default = 10", "default = 2"),),
    ],
    "burn_pytorch_linear": [
        (
            ("[outputs, inputs]", "[inputs, outputs]"),
            (".transpose()", ""),
        ),
        (("weight.transpose()", "weight.reshape([inputs, outputs])"),),
    ],
    "burn_training_step": [
        (
            ("model = adam.step(0.05, model, grads)", "adam.step(0.05, model.clone(), grads)"),
            ("mut model", "model"),
        ),
        (
            ("Ok((model, losses))", "Ok((first, losses))"),
            ("let mut adam", "let first = model.clone();\n    first.weight.val();\n    let mut adam"),
        ),
    ],
    "burn_big_weights": [
        ((".abs()", ""),),
        (("self.count +=", "self.count ="),),
        (("greater_scalar", "greater_equal_scalar"),),
    ],
    "burn_small_batches": [
        ((" * share", ""),),
        (("x.dims()[0] as f32 / rows as f32", "size as f32 / rows as f32"),),
    ],
    "burn_balanced": [
        (
            ("let smallest", "let classes = self.places.len(); let _ = classes; let smallest"),
            ("min()", "max()"),
        ),
        (("[index % classes][index / classes]", "[index / classes][index % classes]"),),
    ],
    "claims_verdict": [(('    if not tried:\n        return "not run"\n', ""),), (("if part is not None", ""),)],
    "claims_batch_bytes": [((" * dtype.itemsize", " * 4"),), (("1e6", "2**20"),)],
    "claims_tch_zeros": [(("(kind, Device::Cpu)", "(Kind::Float, Device::Cpu)"),)],
    "claims_burn_config": [(("default = 10", "default = 2"),)],
    "claims_tch_guard": [(("let _guard = tch::no_grad_guard();\n    work()", "tch::no_grad(work)"),)],
}
