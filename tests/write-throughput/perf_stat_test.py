#!/usr/bin/env python3
"""Our counters and our block against the real perf stat (package linux-perf).

    perf_stat_test.py PROGRAM

Exit status 77: skipped, as perf is not there or may not count.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TIMEOUT_SECONDS = 60
EVENTS = ["task-clock", "context-switches", "cpu-migrations", "page-faults"]
# Many threads that use much memory: what perf sees beside the cell is little against that (the
# starter's part is subtracted, the few faults between fork and exec are not).
LOAD = ["--engine", "null", "-t", "128", "-m", "concurrent", "--in-flight", "4096", "-d", "0.5",
        "--scope", "process", "-e", ",".join(EVENTS)]
ATTEMPTS = 4  # the starter's own part comes from another run, which may have been disturbed


def run(command, folder):
    return subprocess.run(command, cwd=folder, timeout=TIMEOUT_SECONDS, text=True,
                          env={**os.environ, "LC_ALL": "C"}, capture_output=True, check=False)


def perf_counts(folder, flags, command):
    """Of perf stat around the command, by event."""
    output = os.path.join(folder, "perf.csv")
    done = run(["perf", "stat", "-x,", "-o", output, "-e", ",".join(EVENTS), *flags, "--",
                *command], folder)
    counts = {}
    with open(output, encoding="utf-8") as file:
        for line in file:
            fields = line.split(",")
            if len(fields) > 3 and fields[2] in EVENTS:
                counts[fields[2]] = float(fields[0])
    return done, counts


def our_counts(row):
    counts = {}
    for counter in json.loads(row)["counters"]:
        value = counter["value"]
        counts[counter["event"]] = value / 1e6 if counter["event"] == "task-clock" else value
    return counts


def differences(program, folder):
    """Lines about events in which perf's count of the cell and ours differ."""
    command = [program, *LOAD, "--format", "json", "-q"]
    _, starter = perf_counts(folder, ["--no-inherit"], command)
    done, whole = perf_counts(folder, [], command)
    ours = our_counts(done.stdout)
    lines = []
    for event in EVENTS:
        theirs = whole[event] - starter[event]
        allowed = max(5, 0.02 * theirs)
        if abs(theirs - ours[event]) > allowed:
            lines.append(f"{event}: perf {theirs:.2f} ({whole[event]:.2f} less the starter's "
                         f"{starter[event]:.2f}), ours {ours[event]:.2f}")
    return lines


def shape(line):
    """Where things stand in a line of a block, and its words; the numbers do not matter."""
    match = re.match(r"( *[\d.]+) (....) (\S+) *(?:(#) *([\d.]+)(.*))?$", line.rstrip())
    if not match:
        return None
    value, unit, event, _, _, label = match.groups()
    return (event, len(value), "." in value, unit, match.start(3), match.start(4),
            match.end(5), re.sub(r"[KMG]?/sec", "/sec", (label or "").rstrip()))


def shapes(text):
    found = {}
    for line in text.splitlines():
        one = shape(line)
        if one and one[0] in EVENTS:
            found.setdefault(one[0], one)
    return found


def compare_blocks(program, folder):
    perf = run(["perf", "stat", "-e", ",".join(EVENTS), "--", "ls"], folder).stderr
    ours = run([program, "--engine", "null", "-e", ",".join(EVENTS), "--no-big-num"], folder).stderr
    theirs, own = shapes(perf), shapes(ours)
    lines = [f"{event}: perf prints {theirs.get(event)}, we print {own.get(event)}"
             for event in EVENTS if theirs.get(event) != own.get(event)]
    for part in ["\n Performance counter stats for '", "seconds time elapsed", "seconds user",
                 "seconds sys"]:
        if (part in perf) != (part in ours):
            lines.append(f"'{part}' is in one of the blocks only")
    return lines


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        if not shutil.which("perf") or perf_counts(folder, [], ["true"])[0].returncode != 0:
            print("skipped: there is no perf that may count (package linux-perf)")
            return 77
        failures = compare_blocks(program, folder)
        for _ in range(ATTEMPTS):
            different = differences(program, folder)
            if not different:
                break
        failures += different
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
