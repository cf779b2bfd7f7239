#!/usr/bin/env python3
"""Feeds what throughput-changes exports to Apache Otava itself and compares the change points.

usage: otava_test.py PROGRAM VENV

PROGRAM is the built throughput-changes, VENV the virtual environment that install_otava made. Exit
codes: 0 all equal, 1 a difference.

Compared are indices and counts (exactly) and figures (1e-6 relative), over the series of vectors/
and one with gaps, in three ways: the CSV and YAML through Otava's library, the same through its
command line (indices of two tests), and Nyrkio's JSON through Otava's reader of it.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

VECTORS = Path(__file__).resolve().parent / "vectors"
FIRST_DAY = 1577836800  # 2020-01-01
GAPS = 'a "test": with, gaps'
FIGURES = ("pvalue", "mean_before", "mean_after", "stddev_before", "stddev_after")


def enter_environment(venv):
    """Runs this script again with the environment's Python."""
    python = venv / "bin" / "python"
    if Path(sys.prefix).resolve() != venv.resolve():
        os.execv(python, [str(python), *sys.argv])


def history_line(commit, test, values):
    metrics = [{"name": name, "unit": name, "better": "higher", "value": value}
               for name, value in values.items()]
    return json.dumps({"history_version": 1, "commit": f"c{commit}",
                       "time": FIRST_DAY + 86400 * commit, "branch": "main",
                       "repository": "https://example.org/engine", "test": test, "run": 1,
                       "machine": "", "metrics": metrics})


def histories():
    """(window, max_pvalue, min_magnitude) and the lines of a history, for each set of options."""
    groups = {}
    for name in ("change-points.json", "change-points-made.json"):
        for number, row in enumerate(json.loads((VECTORS / name).read_text())):
            options = (row["window"], row["max_pvalue"], row["min_magnitude"])
            groups.setdefault(options, []).append((f"{name} {number}: {row['name']}", row["series"]))
    for options, tests in groups.items():
        longest = max(len(series) for _, series in tests)
        lines = [history_line(i, test, {"rows/s": series[i]})
                 for i in range(longest) for test, series in tests if i < len(series)]
        if longest > 1:
            yield options, lines
    yield (50, 0.001, 0.0), lines_with_gaps()


def lines_with_gaps():
    """p50 is missing at every third commit, so that it goes to a file of its own."""
    lines = []
    for i in range(60):
        values = {"rows/s": 1000 + i % 5 + (50 if i >= 30 else 0)}
        if i % 3:
            values["p50"] = 80 + i % 2 + (9 if i >= 45 else 0)
        lines.append(history_line(i, GAPS, values))
    return lines


def our_points(program, history, options):
    window, pvalue, magnitude = options
    report = subprocess.run(
        [program, "report", history, "--format", "json", "--window", str(window), "--max-pvalue",
         str(pvalue), "--min-magnitude", str(magnitude)], check=True, capture_output=True).stdout
    points = {}
    for change in json.loads(report)["changes"]:
        points.setdefault((change["test"], change["metric"]), []).append(change)
    return points


def analysis_options(options):
    from otava.series import AnalysisOptions
    result = AnalysisOptions()
    result.window_len, result.max_pvalue, result.min_magnitude = options
    return result


def all_time():
    from datetime import datetime, timezone
    from otava.data_selector import DataSelector
    selector = DataSelector()
    selector.since_time = datetime(2000, 1, 1, tzinfo=timezone.utc)
    return selector


def otavas_points(importer, test, options):
    series = importer.fetch_data(test, all_time()).analyze(analysis_options(options))
    return {metric: [{"index": int(p.index), "pvalue": p.pvalue(), "mean_before": p.mean_before(),
                      "mean_after": p.mean_after(), "stddev_before": p.stddev_before(),
                      "stddev_after": p.stddev_after()} for p in points]
            for metric, points in series.change_points.items()}


class Comparison:
    def __init__(self):
        self.series = self.points = self.differences = 0

    def compare(self, what, ours, theirs):
        self.series += 1
        self.points += len(theirs)
        if [p["index"] for p in ours] != [p["index"] for p in theirs]:
            self.differ(what, "points", ours, theirs)
            return
        for our, their in zip(ours, theirs):
            for figure in FIGURES:
                if abs(our[figure] - their[figure]) > 1e-6 * abs(their[figure]):
                    self.differ(what, figure, our[figure], their[figure])

    def differ(self, what, figure, ours, theirs):
        self.differences += 1
        print(f"otava_test: {what}: {figure}: ours {ours}, Otava's {theirs}", file=sys.stderr)


def our_test_name(otava_test, metric, ours_by_test):
    """A metric with gaps is an Otava test of its own, with the metric's name at its end."""
    suffix = " " + metric
    if otava_test not in ours_by_test and otava_test.endswith(suffix):
        return otava_test[:-len(suffix)]
    return otava_test


def compare_csv(comparison, folder, options, ours, tests):
    from otava.config import load_config_from_file
    from otava.importer import CsvImporter
    os.chdir(folder)
    for test in load_config_from_file("otava.yaml").tests.values():
        for metric, theirs in otavas_points(CsvImporter(), test, options).items():
            name = our_test_name(test.name, metric, tests)
            comparison.compare(f"{name} {metric}", ours.get((name, metric), []), theirs)


def compare_command_line(comparison, folder, options, ours, tests):
    otava = Path(sys.prefix) / "bin" / "otava"
    window, pvalue, magnitude = options
    test = next(iter(tests))
    # Otava 0.8.0 declares "-P, --p-value" as one flag, so that is how it has to be given.
    output = subprocess.run(
        [otava, "analyze", "--config-file", "otava.yaml", "--since", "2000-01-01", "--window",
         str(window), "-P, --p-value", str(pvalue), "--magnitude", str(magnitude), "--output", "json",
         test], cwd=folder, check=True, capture_output=True).stdout
    theirs = sorted((change["metric"], change["index"]) for group in json.loads(output)[test]
                    for change in group["changes"])
    wanted = sorted((metric, point["index"]) for (name, metric), points in ours.items()
                    for point in points if name == test and metric == "rows/s")
    if theirs != wanted:
        comparison.differ(f"command line: {test}", "points", wanted, theirs)


def compare_nyrkio(comparison, folder, options, ours, tests):
    from otava.importer import JsonImporter
    from otava.test_config import JsonTestConfig
    for test, file in zip(tests, sorted(folder.iterdir())):
        if test == GAPS:  # Otava's reader of this format takes no gaps
            continue
        config = JsonTestConfig(test, str(file), "main")
        theirs = otavas_points(JsonImporter(), config, options)["rows/s"]
        comparison.compare(f"Nyrkio: {test}", ours.get((test, "rows/s"), []), theirs)


def main():
    program, venv = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).absolute()
    enter_environment(venv)
    import warnings
    warnings.filterwarnings("ignore")
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as scratch:
        for number, (options, lines) in enumerate(histories()):
            folder = Path(scratch) / str(number)
            folder.mkdir()
            history = folder / "history.jsonl"
            history.write_text("".join(line + "\n" for line in lines))
            subprocess.run([program, "export", history, "--otava", folder / "otava", "--nyrkio",
                            folder / "nyrkio"], check=True, capture_output=True)
            ours = our_points(program, history, options)
            tests = dict.fromkeys(json.loads(line)["test"] for line in lines)
            compare_csv(comparison, folder / "otava", options, ours, tests)
            if number == 0 or GAPS in tests:  # each start of Otava takes seconds
                compare_command_line(comparison, folder / "otava", options, ours, tests)
            compare_nyrkio(comparison, folder / "nyrkio", options, ours, tests)
    print(f"otava_test: {comparison.series} series, {comparison.points} change points, "
          f"{comparison.differences} differences")
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
