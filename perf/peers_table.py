#!/usr/bin/env python3
"""The table of perf/peers.sh: medians over the rounds of each engine in each cell.

    perf/peers_table.py RUNS.csv

The file has the rows of --format csv-wide in the order in which they were run. A share of the limit
is taken within a round, as disks drift, and so is the ratio to the fastest other engine.
"""
import collections
import csv
import statistics
import sys

LIMIT = "RawLog"


def read(path):
    """{(threads, batch): {system: [run of each round]}}, cells in the order of their size."""
    cells = collections.defaultdict(lambda: collections.defaultdict(list))
    with open(path, newline="", encoding="utf-8") as file:
        for run in csv.DictReader(file):
            cells[int(run["threads"]), int(run["batch_size"])][run["system"]].append(run)
    return dict(sorted(cells.items()))


def rate(run):
    return float(run["throughput"])


def cpu_us_per_row(run):
    rows = int(run["rows"])
    used = float(run["user_seconds"]) + float(run["system_seconds"])
    return 1e6 * used / rows if rows else float("nan")


def median(values):
    values = list(values)
    return statistics.median(values) if values else float("nan")


def lead(system, systems):
    """Of an engine over the fastest other one in the same round."""
    others = [runs for name, runs in systems.items() if name not in (system, LIMIT)]
    if system == LIMIT or not others:
        return float("nan")
    best = [max(map(rate, round_runs)) for round_runs in zip(*others)]
    return median(rate(run) / other for run, other in zip(systems[system], best) if other)


def figure(value):
    return "" if value != value else f"{value:.2f}"


def lines(systems):
    limit = systems.get(LIMIT, [])
    for system, runs in systems.items():
        yield (
            system,
            runs[0]["mode"],
            f"{median(map(rate, runs)):,.0f}",
            f"{median(map(cpu_us_per_row, runs)):.2f}",
            f"{median(float(run['syncs_per_transaction'] or 'nan') for run in runs):.3f}",
            f"{100 * median(rate(run) / rate(top) for run, top in zip(runs, limit)):.0f} %",
            figure(lead(system, systems)),
        )


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    heads = ("threads", "batch", "engine", "mode", "rows/s", "CPU us/row", "syncs/tx", "of limit",
             "x fastest other")
    rows = [heads]
    for (threads, batch), systems in read(sys.argv[1]).items():
        rows += [(str(threads), str(batch), *line) for line in lines(systems)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
    for row in rows:
        print("  ".join(text.rjust(width) for text, width in zip(row, widths)).rstrip())


if __name__ == "__main__":
    main()
