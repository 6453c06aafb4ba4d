import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

from helpers import plots
from helpers.cifar10 import CLASSES, Source
from helpers.engines import ENGINES
from helpers.events import Epoch
from helpers.results import Comparison, EngineResult

REAL = Source("subset", "CIFAR-10 subset", "")
SYNTHETIC = Source("synthetic", "generated images", "Synthetic images: generated, not CIFAR-10")


def epochs(speed, count=3):
    return [
        Epoch(
            epoch=number,
            train_loss=2 / number,
            test_loss=2.1 / number,
            test_accuracy=0.2 * number,
            train_seconds=1000 / (speed + number),
            images=1000,
        )
        for number in range(1, count + 1)
    ]


def result(engine, speed, megabytes, tmp_path):
    peak = None if megabytes is None else int(megabytes * 1e6)
    return EngineResult(engine, "cpu", 2, 60362, 3.0, 5.0, peak, "", tmp_path, epochs(speed))


def five_engines(tmp_path, memory=100):
    results = {
        name: [result(name, 100 * (place + 1), memory, tmp_path), result(name, 110 * (place + 1), memory, tmp_path)]
        for place, name in enumerate(ENGINES)
    }
    return Comparison(results, REAL)


def all_figures(source, tmp_path):
    rng = np.random.default_rng(0)
    images = rng.integers(0, 256, (12, 3, 32, 32), np.uint8)
    labels = np.arange(12) % 10
    probabilities = rng.dirichlet(np.ones(10), 12)
    return {
        "image_grid": plots.image_grid(images, labels, source=source),
        "wrong_predictions": plots.wrong_predictions(images, labels, probabilities, source=source),
        "confusion_matrix": plots.confusion_matrix(labels, probabilities.argmax(1), source=source),
        "training_curves": plots.training_curves({name: epochs(9) for name in ENGINES}, source=source),
        "throughput_and_memory": plots.throughput_and_memory(five_engines(tmp_path), source=source),
    }


def texts(figure):
    return [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]


def words(figure):
    return [text.get_text() for text in texts(figure)]


def test_every_figure_shows_where_its_images_come_from(tmp_path):
    for name, figure in all_figures(SYNTHETIC, tmp_path).items():
        caption = [text for text in texts(figure) if text.get_text() == SYNTHETIC.caption]
        assert len(caption) == 1, name
        assert to_hex(caption[0].get_color()) == plots.RED.lower(), name
    for name, figure in all_figures(REAL, tmp_path).items():
        assert "Images: CIFAR-10 subset" in words(figure), name


def test_everything_drawn_lies_inside_the_figure(tmp_path):
    long = Source("synthetic", "generated", "Synthetic images: " + "a long caption that needs more than one line, " * 5)
    for source in (SYNTHETIC, long):
        for name, figure in all_figures(source, tmp_path).items():
            figure.draw_without_rendering()
            drawn, page = figure.get_tightbbox(), figure.bbox_inches
            assert drawn.x0 >= 0 and drawn.y0 >= 0, f"{name}: {drawn} leaves {page}"
            assert drawn.x1 <= page.x1 and drawn.y1 <= page.y1, f"{name}: {drawn} leaves {page}"
            for legend in figure.legends:
                box = legend.get_window_extent()
                assert box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1, name
                assert not any(box.overlaps(ax.get_window_extent()) for ax in figure.axes), name


def test_the_legend_names_every_engine_in_its_own_colour():
    figure = plots.training_curves({name: epochs(9) for name in ENGINES}, source=REAL)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [engine.title for engine in ENGINES.values()]
    colours = [line.get_color() for line in legend.get_lines()]
    assert colours == [plots.ENGINE_STYLES[name].color for name in ENGINES]
    assert len(set(colours)) == len(ENGINES)


def test_curves_have_labels_with_units_and_all_values():
    figure = plots.training_curves({"pytorch": epochs(9)}, source=REAL, epochs=10)
    labels = [(ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) for ax in figure.axes]
    assert labels == [
        ("training loss", "epoch", "cross-entropy, nats"),
        ("test loss", "epoch", "cross-entropy, nats"),
        ("test accuracy", "epoch", "correct, %"),
    ]
    assert list(figure.axes[2].lines[0].get_ydata()) == pytest.approx([20, 40, 60])
    assert figure.axes[0].get_xlim()[1] > 10


def test_speed_and_memory_show_median_spread_and_ratio(tmp_path):
    comparison = five_engines(tmp_path)
    figure = plots.throughput_and_memory(comparison, source=REAL)
    speed, memory = figure.axes
    assert (speed.get_xlabel(), memory.get_xlabel()) == (
        "training images per second",
        "resident memory of the program, MB",
    )
    bars = [bar.get_width() for bar in speed.patches]
    assert bars == pytest.approx([comparison.throughput(name).median for name in ENGINES])
    dots = next(line for line in speed.lines if line.get_marker() == "o")
    assert len(dots.get_xdata()) == 4  # two rounds of three epochs, the first of each is not warm
    assert any("x PyTorch" in word for word in words(figure))
    assert [label.get_text() for label in speed.get_yticklabels()] == [engine.title for engine in ENGINES.values()]


def test_an_unknown_peak_is_said_and_not_drawn(tmp_path):
    figure = plots.throughput_and_memory(five_engines(tmp_path, memory=None), source=REAL)
    assert not figure.axes[1].patches
    assert words(figure).count(" not known on this system") == len(ENGINES)


def test_the_confusion_matrix_counts_rows_of_truth():
    figure = plots.confusion_matrix(np.array([0, 0, 3]), np.array([0, 5, 3]), source=REAL)
    cells = figure.axes[0].texts
    assert [int(cell.get_text()) for cell in cells][:10] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert figure.axes[0].images[0].get_array()[0, 5] == 50
    assert figure.get_suptitle().startswith("66.7% of 3 images right")
    assert figure.axes[0].get_ylabel() == "true class"
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == list(CLASSES)


def test_wrong_predictions_come_surest_first():
    probabilities = np.full((3, 10), 0.01)
    probabilities[[0, 1, 2], [1, 2, 2]] = [0.6, 0.9, 0.8]
    images = np.zeros((3, 3, 32, 32), np.uint8)
    figure = plots.wrong_predictions(images, np.array([0, 0, 2]), probabilities, source=REAL)
    titles = [ax.get_title() for ax in figure.axes if ax.get_title()]
    assert titles == ["bird 90%\n(is airplane)", "automobile 60%\n(is airplane)"]
    assert figure.get_suptitle().startswith("2 of 3 images are classified wrongly")


def test_no_wrong_prediction_is_a_figure_too():
    probabilities = np.eye(10)
    images = np.zeros((10, 3, 32, 32), np.uint8)
    figure = plots.wrong_predictions(images, np.arange(10), probabilities, source=REAL)
    assert "0 of 10 images are classified wrongly" in words(figure)
