from configs.schema import BenchConfig
from experiments.bench import bench


def test_the_benchmark_measures_every_row(capsys):
    rows = bench(BenchConfig(games=8, decisions=5, threads=[1, 512], steps=50, repeats=1))
    names = [name.split(",")[0] for name, _ in rows]
    assert names == [
        *["batch kernel"] * 2, "PettingZoo in its wrapper", "PettingZoo raw",
        *["Gymnasium against heuristic"] * 2, *["Gymnasium against random"] * 2, "Table.play",
    ]  # fmt: skip
    assert all(speed > 0 for _, speed in rows)
    printed = capsys.readouterr().out
    assert "512 threads: this process may use" in printed
    assert printed.splitlines()[1].split()[-3:] == ["median", "least", "most"]
