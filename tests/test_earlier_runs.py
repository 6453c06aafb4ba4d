"""The newest readable measurement is shown with its date, or a sentence says that there is none."""

import json

from helpers.earlier_runs import ABSENT, newest_engine_bench


def write(folder, date, speed):
    content = {
        "date": f"{date}T09:00:00+00:00",
        "machine": {"cpu": "A processor", "cores_used": 2},
        "results": {
            "settings": {"rounds": 2, "epochs": 3, "train_size": 2000, "batch_size": 64, "device": "cpu"},
            "engines": {
                "pytorch": {"images_per_second": [200.0, 200.0], "peak_rss_bytes": [8e8, 8e8]},
                "candle": {"images_per_second": speed, "peak_rss_bytes": []},
            },
        },
    }
    (folder / f"engines_{date}_09-00-00.json").write_text(json.dumps(content))


def test_the_newest_is_shown(tmp_path):
    write(tmp_path, "2020-01-01", [100.0])
    write(tmp_path, "2020-01-02", [20.0, 30.0, 22.0])
    (tmp_path / "engines_2020-01-03_00-00-00.json").write_text("{")
    found = newest_engine_bench(tmp_path)
    assert found.rows()[1] == ("Candle", "22 (20 to 30)", "0.11", "not known")
    for shown in (str(found), found._repr_html_()):
        assert "2020-01-02, A processor, 2 cores: 2,000 images, 3 epochs, 2 rounds, cpu" in shown


def test_without_one_a_sentence(tmp_path):
    assert str(newest_engine_bench(tmp_path)) == ABSENT
    assert "bench engines" in newest_engine_bench(tmp_path)._repr_html_()
