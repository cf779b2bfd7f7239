#!/usr/bin/env python3
"""What throughput-compare says where the answer is known: its verdicts, counted.

same      write-throughput against itself: every metric has to show no difference, in at least 47 of
          50 comparisons. "not enough runs" is no answer, and counts as a failure.
hashers   sip13 against fx, counted by callgrind: instructions/row has to be better every time; the
          amounts are shown.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

SILENT = "no difference seen"
VERDICTS = (SILENT, "better", "worse", "not enough runs")

# A precision and a budget that are never reached: a comparison is as many runs as are asked for.
FIXED = ["--precision", "rows/s:0.000001%", "--budget", "3600", "--format", "json"]
SETTINGS = {
    "same": {"runs": "40", "share": 0.94, "load": ["-i", "200"],
             "before": [], "after": []},
    "hashers": {"runs": "4", "share": 1.0, "load": ["-i", "1000", "--counters", "callgrind"],
                "before": ["--hasher", "sip13"], "after": ["--hasher", "fx"]},
}


def compare(arguments, setting, folder):
    """The metrics of one comparison."""
    side = [arguments.program, *setting["load"], *arguments.load,
            "--database", f"{folder}/database"]
    command = [arguments.compare, *FIXED, "--runs", arguments.runs or setting["runs"],
               *side, *setting["before"], "--", *side, *setting["after"]]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return json.loads(result.stdout)["comparison"]["metrics"]


def print_counts(counts, changes):
    print(f"\n{'metric':<20}" + "".join(f"{verdict:>20}" for verdict in VERDICTS) + "  change, %")
    for metric, verdicts in counts.items():
        amounts = sorted(change for change in changes[metric] if change is not None)
        spread = f"{amounts[0]:.2f} to {amounts[-1]:.2f}" if amounts else ""
        print(f"{metric:<20}" + "".join(f"{verdicts[verdict]:>20}" for verdict in VERDICTS)
              + f"  {spread}")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("question", choices=SETTINGS)
    parser.add_argument("--repetitions", type=int, default=50, help="comparisons (50)")
    parser.add_argument("--runs", help="of each side of a comparison (40; of hashers 4)")
    parser.add_argument("--program", help="the write-throughput to run",
                        default=root / "build/apps/write-throughput/write-throughput")
    parser.add_argument("--compare", help="the throughput-compare to ask",
                        default=root / "build/apps/throughput-compare/throughput-compare")
    parser.add_argument("--folder", default=".",
                        help="of the databases, on the disk to measure (.)")
    parser.add_argument("load", nargs="*", metavar="FLAG",
                        help="flags of write-throughput for both sides, behind --")
    arguments = parser.parse_args()
    setting = SETTINGS[arguments.question]

    counts = collections.defaultdict(collections.Counter)
    changes = collections.defaultdict(list)
    right = 0
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="verdicts.") as folder:
        for number in range(1, arguments.repetitions + 1):
            metrics = compare(arguments, setting, folder)
            for metric in metrics:
                counts[metric["metric"]][metric["verdict"]] += 1
                changes[metric["metric"]].append(metric["change_percent"])
            if arguments.question == "same":
                wrong = [f"{metric['metric']}: {metric['verdict']}" for metric in metrics
                         if metric["verdict"] != SILENT]
            else:
                wrong = [f"{metric['metric']}: {metric['verdict']}" for metric in metrics
                         if metric["metric"] == "instructions/row"
                         and metric["verdict"] != "better"]
            right += not wrong
            print(f"{number} of {arguments.repetitions}: {', '.join(wrong) or 'as it should be'}",
                  flush=True)
    print_counts(counts, changes)
    wanted = setting["share"] * arguments.repetitions
    print(f"\n{right} of {arguments.repetitions} comparisons as they should be, "
          f"{wanted:.0f} or more are wanted")
    sys.exit(0 if right >= wanted else 1)


if __name__ == "__main__":
    main()
