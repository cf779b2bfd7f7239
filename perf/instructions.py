#!/usr/bin/env python3
"""User instructions per row of the whole program write-throughput, by callgrind.

Each figure is the difference of two runs that differ in their iteration count only, divided by the
rows between them: what opening and closing the database cost whatever its rows cancels. All threads
count from the opening of the measured window until the database is closed and its memory given
back. Not the report behind that: it costs by the number of different latencies, which is chance.
The hashers alternate within a round, so that sip13 - fx compares the same table fill. The databases
lie in memory (--folder), where no sync has to be waited for: that changes the time, not the user's
instructions.
"""
import argparse
import collections
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

# batch size: the two iteration counts. The larger still fits one in-memory table.
ITERATIONS = {1: (100_000, 400_000), 100: (2_000, 7_000), 10_000: (20, 70)}
HASHERS = ("fx", "sip13")
# What is counted begins and ends with a call of these.
FIRST, LAST = "write_throughput_window_opened", "burin::Store::~Store*"


def profiles(program, flags, folder, *options):
    """Runs the program under callgrind and returns the profiles of its processes."""
    scratch = pathlib.Path(tempfile.mkdtemp(dir=folder))
    command = ["valgrind", "--tool=callgrind", "--trace-children=yes",
               f"--callgrind-out-file={scratch}/profile.%p", *options,
               program, *flags, "--database", f"{scratch}/database", "-q", "--counters", "none"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    return sorted(scratch.glob("profile.*"))


def total(program, flags, folder):
    """Instructions from FIRST to LAST."""
    parts = [path for path in profiles(program, flags, folder, f"--zero-before={FIRST}",
                                       f"--dump-after={LAST}") if path.suffix == ".1"]
    if len(parts) != 1:  # of all others the end is the process's own
        sys.exit(f"{program}: {len(parts)} processes called {LAST} once, not one")
    return int(re.search(r"^totals: (\d+)$", parts[0].read_text(), re.M)[1])


def by_function(program, flags, folder):
    """Instructions of each function itself, without what it calls, the report's among them: what
    runs when counting begins would be given all that it calls."""
    counts = collections.Counter()
    for path in profiles(program, flags, folder):
        listing = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", path],
                                 capture_output=True, text=True, check=True).stdout
        for line in listing.splitlines():
            match = re.match(r"\s*([\d,]+) \([\s\d.]+%\)\s+\S*?:(.+?)(?: \[\S*\])?$", line)
            if match:
                counts[match[2]] += int(match[1].replace(",", ""))
    return counts


def per_row(program, batch, hasher, folder, figure):
    """`figure` of the longer run minus that of the shorter, for each row."""
    low, high = ITERATIONS[batch]
    flags = ["--threads", "1", "--batch-size", str(batch), "--hasher", hasher]
    less, more = (figure(program, [*flags, "-i", str(count)], folder) for count in (low, high))
    rows = batch * (high - low)
    if isinstance(more, int):
        return (more - less) / rows
    return {name: (more[name] - less[name]) / rows for name in more}


def print_comparison(arguments, batch, folder):
    runs = {hasher: [] for hasher in HASHERS}
    for _ in range(arguments.rounds):
        for hasher in HASHERS:
            runs[hasher].append(per_row(arguments.program, batch, hasher, folder, total))
    runs["sip13 - fx"] = [sip - fx for fx, sip in zip(runs["fx"], runs["sip13"])]
    for name, figures in runs.items():
        print(f"{batch:>7}  {name:<10} {statistics.median(figures):>9.2f} {min(figures):>9.2f} "
              f"{max(figures):>9.2f}", flush=True)


def print_breakdown(arguments, batch, folder):
    for hasher in HASHERS:
        costs = per_row(arguments.program, batch, hasher, folder, by_function)
        print(f"\nbatch {batch}, {hasher}: instructions per row by function "
              f"({sum(costs.values()):.1f} in all, with the report; those above 0.5)")
        for name, cost in sorted(costs.items(), key=lambda item: -item[1]):
            if cost > 0.5:
                print(f"{cost:>9.1f}  {name[:120]}")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", help="the write-throughput to measure",
                        default=root / "build/apps/write-throughput/write-throughput")
    parser.add_argument("--folder", default="/dev/shm",
                        help="of the databases, which take up to 600 MB (/dev/shm)")
    parser.add_argument("--batch-size", type=int, nargs="+", choices=ITERATIONS, default=[100, 1])
    parser.add_argument("--rounds", type=int, default=3, help="runs of each figure (3)")
    parser.add_argument("--breakdown", action="store_true", help="by function, one run of each")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="instructions.") as folder:
        if not arguments.breakdown:
            print(f"user instructions per row (callgrind, {arguments.rounds} rounds)")
            print("  batch  hasher        median       min       max")
        for batch in arguments.batch_size:
            (print_breakdown if arguments.breakdown else print_comparison)(arguments, batch, folder)


if __name__ == "__main__":
    main()
