#!/usr/bin/env python3
"""What it gains, and costs, to hold checkpoints and merges back: mvcc-passive with and without.

Runs of both kinds take turns, as disks drift; the order of a round is the opposite of the round
before. Shown are medians over the rounds, and of the ratios within a round, on to off.
"""
import argparse
import csv
import io
import pathlib
import statistics
import subprocess
import sys
import tempfile

FIGURES = [
    ("rows/s", "throughput", 1),
    ("commit p99, ms", "commit_latency_p99_us", 1e-3),
    ("commit p99.9, ms", "commit_latency_p99_9_us", 1e-3),
    ("longest commit, ms", "commit_latency_max_us", 1e-3),
    ("longest sync, ms", "sync_longest_us", 1e-3),
    ("stalls", "stalls", 1),
    ("stalled, ms", "stall_total_us", 1e-3),
    ("checkpoints", "checkpoints", 1),
    ("merges", "merges", 1),
    ("share of bytes", "background_bytes_share", 1),
    ("share of CPU", "background_cpu_share", 1),
    ("100 ms intervals without a row", "intervals_without_rows", 1),
]


def run(arguments, limit, folder):
    """The figures of one run, in the order of FIGURES."""
    command = [arguments.build / "apps/write-throughput/write-throughput", "-m", "mvcc-passive",
               "-t", str(arguments.threads), "-b", str(arguments.batch_size),
               "-d", str(arguments.seconds), "--interval", "100",
               "--engine-option", f"limit-background={limit}",
               "--database", f"{folder}/database", "-q", "--counters", "none",
               "--format", "csv-wide"]
    result = subprocess.run(command, capture_output=True, text=True,
                            timeout=arguments.seconds * 10 + 60)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    row = next(csv.DictReader(io.StringIO(result.stdout)))
    return [float(row[column] or 0) * factor for _, column, factor in FIGURES]


def ratio(on, off):
    return on / off if off else float("nan")


def print_table(rounds):
    print(f"{'':<32}{'off':>14}{'on':>14}{'on/off':>9}")
    for i, (name, _, _) in enumerate(FIGURES):
        off = statistics.median(figures["off"][i] for figures in rounds)
        on = statistics.median(figures["on"][i] for figures in rounds)
        ratios = [ratio(figures["on"][i], figures["off"][i]) for figures in rounds]
        known = [one for one in ratios if one == one]
        shown = f"{statistics.median(known):>9.2f}" if known else f"{'':>9}"
        print(f"{name:<32}{off:>14,.2f}{on:>14,.2f}{shown}")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=root / "build",
                        help="the build folder (build)")
    parser.add_argument("--folder", default=".", help="on the disk to measure (.)")
    parser.add_argument("--rounds", type=int, default=7, help="(7)")
    parser.add_argument("--seconds", type=int, default=10, help="of each run (10)")
    parser.add_argument("--threads", type=int, default=8, help="(8)")
    parser.add_argument("--batch-size", type=int, default=100, help="(100)")
    arguments = parser.parse_args()

    rounds = []
    for turn in range(arguments.rounds):
        figures = {}
        for limit in ("off", "on") if turn % 2 == 0 else ("on", "off"):
            with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="limit.") as folder:
                figures[limit] = run(arguments, limit, folder)
        rounds.append(figures)
        print(f"round {turn + 1}: off {figures['off'][0]:,.0f}, on {figures['on'][0]:,.0f} rows/s",
              file=sys.stderr, flush=True)
    print_table(rounds)


if __name__ == "__main__":
    main()
