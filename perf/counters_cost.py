#!/usr/bin/env python3
"""What counting costs: throughput with the counters on against off.

Both are run in turn, so that a drift of the machine meets both; printed are the median of the
rounds' ratios on / off and their quartiles. The claim is a loss of at most 1 per cent.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

TIMEOUT_SECONDS = 300
ROOT = pathlib.Path(__file__).resolve().parent.parent


def rows_per_second(program, engine, seconds, counters, folder):
    """Of one run at batch 100."""
    command = [program, "--engine", engine, "-b", "100", "-d", str(seconds), "--counters", counters,
               "-m", "concurrent", "--format", "json", "-q", "--database", f"{folder}/cost.db"]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=TIMEOUT_SECONDS, check=True)
    return json.loads(done.stdout)["rows_per_second"]


def ratios(arguments, engine, folder):
    """On / off of each round; which one comes first alternates."""
    for round_number in range(arguments.rounds):
        order = ["auto", "none"] if round_number % 2 == 0 else ["none", "auto"]
        rates = {counters: rows_per_second(arguments.program, engine, arguments.seconds, counters,
                                           folder) for counters in order}
        yield rates["auto"] / rates["none"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", help="the write-throughput to measure",
                        default=ROOT / "build/apps/write-throughput/write-throughput")
    parser.add_argument("--folder", default=".", help="of the database (.)")
    parser.add_argument("--engine", nargs="+", default=["null", "burin"])
    parser.add_argument("--rounds", type=int, default=15, help="pairs of runs (15)")
    parser.add_argument("--seconds", type=float, default=1, help="of each run (1)")
    arguments = parser.parse_args()
    if arguments.rounds < 2:
        sys.exit("--rounds: at least 2 are needed")

    print("throughput with counters / without")
    print("engine      median  quartiles")
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="counters_cost.") as folder:
        for engine in arguments.engine:
            found = list(ratios(arguments, engine, folder))
            low, median, high = statistics.quantiles(found, n=4)
            print(f"{engine:<10} {median:>7.4f}  {low:.4f} to {high:.4f}", flush=True)


if __name__ == "__main__":
    main()
