#!/usr/bin/env python3
"""Throughput of write-throughput as a multiple of what the disk allows one thread (`limit`).

A disk drifts within minutes, so a figure says little without one of the disk beside it. Here `limit`
runs before and after every cell, and the cell is divided by the mean of the two; all on fresh files,
the cells of a batch size in turn, from round to round in the opposite order. Shown are the medians
over the rounds and the quartiles around them.
"""
import argparse
import csv
import pathlib
import statistics
import subprocess
import sys
import tempfile

# batch size: iterations of `limit`, and the cells as (name, flags, iterations per thread)
def cell(threads, mode, transactions, *flags):
    name = f"{threads} thread{'s' if threads > 1 else ''}, {mode}"
    if flags:
        name += f", {flags[-1]} in flight"
    return name, ["-t", str(threads), "-m", mode, *flags], transactions // threads


CELLS = {
    100: (6_000, [
        cell(1, "legacy", 6_000),
        *(cell(threads, "logical-log", 6_000) for threads in (2, 4, 8)),
        cell(8, "concurrent", 6_000, "--in-flight", "64"),
    ]),
    1: (5_000, [
        cell(1, "legacy", 5_000),
        *(cell(threads, "logical-log", 5_000 * threads // 2) for threads in (2, 4, 8)),
    ]),
    10_000: (60, [cell(1, "legacy", 60)]),
}


def rows_per_second(command):
    """Runs a program that prints one classic row."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return float(result.stdout.strip().split(",")[-1])


def run_round(build, batch, folder, backward):
    """Rows per second of each cell by name, and of `limit` around it."""
    limit_iterations, cells = CELLS[batch]
    limit = [build / "perf/limit", "-b", str(batch), "-i", str(limit_iterations),
             "--folder", folder]
    figures = {}
    before = rows_per_second(limit)
    for name, flags, iterations in reversed(cells) if backward else cells:
        rate = rows_per_second(
            [build / "apps/write-throughput/write-throughput", "-b", str(batch), *flags,
             "-i", str(iterations), "--database", f"{folder}/database", "-q",
             "--counters", "none"])
        after = rows_per_second(limit)
        figures[name] = (rate, (before + after) / 2)
        before = after
    return figures


def quartiles(figures):
    if len(figures) == 1:
        return figures * 3
    return statistics.quantiles(figures, n=4, method="inclusive")


def print_table(batch, rounds):
    low, middle, high = quartiles([limit for figures in rounds for _, limit in figures.values()])
    print(f"\nbatch {batch}, {len(rounds)} rounds; limit: {middle:,.0f} rows/s "
          f"({low:,.0f} to {high:,.0f})")
    print(f"  {'':<37}{'rows/s':>12}{'x limit':>9}  quartiles")
    for name, _, _ in CELLS[batch][1]:
        rate = statistics.median(figures[name][0] for figures in rounds)
        low, middle, high = quartiles([rate / limit for rate, limit in
                                       (figures[name] for figures in rounds)])
        print(f"  {name:<37}{rate:>12,.0f}{middle:>9.2f}  {low:.2f} to {high:.2f}", flush=True)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=root / "build",
                        help="the build folder (build)")
    parser.add_argument("--folder", default=".", help="on the disk to measure (.)")
    parser.add_argument("--batch-size", type=int, nargs="+", choices=CELLS, default=list(CELLS))
    parser.add_argument("--rounds", type=int, default=7, help="(7)")
    parser.add_argument("--runs", type=pathlib.Path, metavar="FILE",
                        help="every single run, as CSV")
    arguments = parser.parse_args()

    singles = []
    for batch in arguments.batch_size:
        rounds = []
        for turn in range(arguments.rounds):
            with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="ratios.") as folder:
                rounds.append(run_round(arguments.build, batch, folder, backward=turn % 2 == 1))
            singles += [(batch, turn + 1, name, f"{rate:.2f}", f"{limit:.2f}")
                        for name, (rate, limit) in rounds[-1].items()]
        print_table(batch, rounds)
    if arguments.runs:
        with open(arguments.runs, "w", newline="") as file:
            csv.writer(file).writerows(
                [("batch_size", "round", "cell", "rows_per_second", "limit_rows_per_second"),
                 *singles])


if __name__ == "__main__":
    main()
