import torch
from torch import nn


class Small(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        # BEGIN SOLUTION
        self.conv = nn.Conv2d(3, 32, 3, padding=1)
        self.fc = nn.Linear(32 * 16 * 16, 10)
        # END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # BEGIN SOLUTION
        x = nn.functional.max_pool2d(self.conv(x).relu(), 2)  # [B, 32, 16, 16]
        return self.fc(x.flatten(1))  # [B, 10]
        # END SOLUTION


# BEGIN HIDDEN TESTS
torch.manual_seed(0)
model = Small()
for batch in (1, 8):
    logits = model(torch.randn(batch, 3, 32, 32))
    shape = tuple(logits.shape)
    assert shape == (batch, 10), f"the logits of {batch} images must be [{batch}, 10], and are {list(shape)}"
count = sum(p.numel() for p in model.parameters())
assert count == 82_826, f"the network must have 82,826 parameters, and has {count:,}"
logits.sum().backward()
for name, parameter in model.named_parameters():
    assert parameter.grad is not None, f"{name} gets no gradient: forward does not use it"
with torch.no_grad():
    for layer in model.modules():
        if isinstance(layer, nn.Conv2d):
            layer.weight.zero_()
            layer.bias.fill_(-1)
    quiet = model(torch.randn(2, 3, 32, 32))
    assert torch.equal(quiet[0], quiet[1]), "the convolution must be all of what the linear layer sees"
    for layer in model.modules():
        if isinstance(layer, nn.Conv2d):
            layer.bias.fill_(-2)
    assert torch.equal(quiet, model(torch.randn(2, 3, 32, 32))), "ReLU must make negative numbers zero"
torch.manual_seed(0)
model = Small()
images = torch.randn(4, 3, 32, 32)
assert torch.allclose(model(images)[:1], model(images[:1]), atol=1e-5), "each image must keep its own logits"
# END HIDDEN TESTS
