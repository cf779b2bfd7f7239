#!/usr/bin/env python3
"""Makes a history for throughput-changes: builds commits of this repository and measures each.

Of every commit, oldest first, write-throughput alone is built, and one thread loads batches of 1
and of 100 rows: natively for rows per second and the rest, and under callgrind for the user
instructions of a row, as perf/instructions.py does it, which works for commits that knew no
--counters callgrind. A commit that the history holds already is passed over, so that a call that
was broken off, or one with newer commits, goes on where the last one ended.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # this folder is no place for it
import instructions

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCHES = (1, 100)


def output_of(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout.decode()}{result.stderr.decode()}")
    return result.stdout


def oldest_first(commits):
    """(hash, time) of each commit."""
    lines = output_of("git", "-C", ROOT, "log", "--no-walk=sorted", "--reverse",
                      "--abbrev=10", "--format=%h %ct", *commits).decode().splitlines()
    return [tuple(line.split()) for line in lines]


def recorded(history):
    if not history.exists():
        return set()
    return {json.loads(line)["commit"] for line in history.read_text().splitlines()}


# What a machine that others share, too, can tell for sure.
COUNTED = ("instructions/row", "syncs/transaction", "bytes/row")


def keep_counts(history):
    """Takes out of the lines what time decides: rows/s and latency."""
    lines = [json.loads(line) for line in history.read_text().splitlines()]
    for line in lines:
        line["metrics"] = [each for each in line["metrics"] if each["name"] in COUNTED]
    history.write_text("".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n"
                               for line in lines))


def build(commit, scratch, jobs):
    """Always in the same folder, so that a compiler cache knows what did not change."""
    source = scratch / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    archive = output_of("git", "-C", ROOT, "archive", commit)
    output_of("tar", "-x", "-C", source, input=archive)
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    output_of("cmake", "-S", source, "-B", source / "build", "-G", "Ninja", "-DBUILD_TESTING=OFF",
              *launcher)
    output_of("cmake", "--build", source / "build", f"-j{jobs}", "--target", "write-throughput")
    return source / "build/apps/write-throughput/write-throughput"


def measure(program, arguments, scratch):
    """The rows of the native runs, each with the instructions that callgrind counted."""
    command = [program, "-t", "1", "-b", ",".join(map(str, BATCHES)), "-i", "3000", "-r",
               str(arguments.repeat), "--format", "json", "-q", "--counters", "none", "--database",
               arguments.folder / "history.db"]
    rows = [json.loads(line) for line in output_of(*command).splitlines()]
    per_row = {batch: instructions.per_row(program, batch, "fx", scratch, instructions.total)
               for batch in BATCHES}
    for row in rows:
        row["counters"] = [{"event": "instructions", "modifiers": "u", "generic": "instructions",
                            "hardware": True, "status": "counted", "source": "callgrind",
                            "value": per_row[row["batch_size"]] * row["rows"], "enabled_ns": 0,
                            "running_ns": 0, "cause": "", "asked_by_name": True}]
    return "".join(json.dumps(row) + "\n" for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commits", nargs="+", metavar="COMMIT", help="as git names them")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "perf/history.jsonl",
                        help="the history, begun or continued (perf/history.jsonl)")
    parser.add_argument("--changes", help="the throughput-changes that records",
                        default=ROOT / "build/apps/throughput-changes/throughput-changes")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("."),
                        help="of the databases, on the disk to measure (.)")
    parser.add_argument("--repeat", type=int, default=3, help="native runs of each batch (3)")
    parser.add_argument("--counts-only", action="store_true",
                        help="keep what is counted and leave out what time decides: for a machine "
                             "that is not quiet")
    parser.add_argument("--jobs", type=int, default=2, help="of a build (2)")
    arguments = parser.parse_args()

    known = recorded(arguments.output)
    builds = pathlib.Path(tempfile.gettempdir()) / "write-throughput-history"
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="history.") as folder:
        for commit, time in oldest_first(arguments.commits):
            if commit in known:
                continue
            program = build(commit, builds, arguments.jobs)
            result = pathlib.Path(folder) / "result.json"
            result.write_text(measure(program, arguments, folder))
            output_of(arguments.changes, "record", arguments.output, result, "--commit", commit,
                      "--time", time)
            if arguments.counts_only:
                keep_counts(arguments.output)
            print(f"{commit} recorded", flush=True)
    shutil.rmtree(builds, ignore_errors=True)


if __name__ == "__main__":
    main()
