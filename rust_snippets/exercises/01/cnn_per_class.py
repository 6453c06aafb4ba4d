import torch


def accuracy_by_class(predicted: torch.Tensor, labels: torch.Tensor, classes: int) -> torch.Tensor:
    # BEGIN SOLUTION
    right = torch.bincount(labels[predicted == labels], minlength=classes)
    return right / torch.bincount(labels, minlength=classes)
    # END SOLUTION


# BEGIN HIDDEN TESTS
labels = torch.tensor([0, 0, 2, 2, 2])
predicted = torch.tensor([0, 1, 2, 2, 0])
found = accuracy_by_class(predicted, labels, 3)
assert tuple(found.shape) == (3,), f"one accuracy a class: the shape must be [3], and is {list(found.shape)}"
assert torch.isclose(found[0].double(), torch.tensor(0.5).double()), "one of the two images of class 0 is right"
assert abs(float(found[2]) - 2 / 3) < 1e-6, "two of the three images of class 2 are right"
assert found[1].isnan(), "class 1 has no images, so its accuracy is NaN, although it was predicted once"
assert float(accuracy_by_class(labels, labels, 4)[2]) == 1.0, "all images of class 2 are right"
# END HIDDEN TESTS
