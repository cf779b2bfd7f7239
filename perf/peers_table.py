#!/usr/bin/env python3
"""The table of perf/peers.sh: medians over the rounds of each engine in each cell.

    perf/peers_table.py RUNS.csv

The file has rows of --format csv-wide behind the number of their round. A share of the limit is taken
within a round, as disks drift, and so is the ratio to the fastest other engine.
"""
import collections
import csv
import statistics
import sys

LIMIT = "RawLog"


def read(path):
    """{(threads, batch): {system: {round: run}}}, cells in the order of their size."""
    cells = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(path, newline="", encoding="utf-8") as file:
        for run in csv.DictReader(file):
            cell = cells[int(run["threads"]), int(run["batch_size"])]
            cell[run["system"]][int(run["round"])] = run
    return dict(sorted(cells.items()))


def rate(run):
    return float(run["throughput"])


def cpu_us_per_row(run):
    rows = int(run["rows"])
    used = float(run["user_seconds"]) + float(run["system_seconds"])
    return 1e6 * used / rows if rows else float("nan")


def syncs_per_transaction(run):
    seen = run["durability"] != "out of sight"  # as a server's are
    return float(run["syncs_per_transaction"] or "nan") if seen else float("nan")


def median(values):
    values = list(values)
    return statistics.median(values) if values else float("nan")


def ratios(runs, others):
    """Of the rates in the rounds that both have; others: {round: rate}."""
    return (rate(runs[round_]) / others[round_] for round_ in runs if others.get(round_))


def fastest_others(system, systems):
    """{round: the highest rate of an engine that is neither this one nor the limit}."""
    best = collections.defaultdict(float)
    for name, runs in systems.items():
        if name not in (system, LIMIT):
            for round_, run in runs.items():
                best[round_] = max(best[round_], rate(run))
    return best


def figure(value, digits=2):
    return "" if value != value else f"{value:.{digits}f}"


def lines(systems):
    limit = {round_: rate(run) for round_, run in systems.get(LIMIT, {}).items()}
    for system, runs in systems.items():
        others = {} if system == LIMIT else fastest_others(system, systems)
        share = median(ratios(runs, limit))
        yield (
            system,
            next(iter(runs.values()))["mode"],
            str(len(runs)),
            f"{median(map(rate, runs.values())):,.0f}",
            f"{median(map(cpu_us_per_row, runs.values())):.2f}",
            figure(median(map(syncs_per_transaction, runs.values())), 3),
            "" if share != share else f"{100 * share:.0f} %",
            figure(median(ratios(runs, others))),
        )


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    heads = ("threads", "batch", "engine", "mode", "rounds", "rows/s", "CPU us/row", "syncs/tx",
             "of limit", "x fastest other")
    rows = [heads]
    for (threads, batch), systems in read(sys.argv[1]).items():
        rows += [(str(threads), str(batch), *line) for line in lines(systems)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
    for row in rows:
        print("  ".join(text.rjust(width) for text, width in zip(row, widths)).rstrip())


if __name__ == "__main__":
    main()
