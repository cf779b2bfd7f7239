#!/usr/bin/env bash
# The classic sweep, threads x compute. Help below.
set -euo pipefail

help='perf/sweep.sh [FILE] [flags of write-throughput...]

Threads 1 2 4 8 x compute 0 100 500 1000 us, batch 100, 1000 iterations, in random order against a
disk that drifts. FILE (default: sweep.csv) gets a row for each run: *.csv classic rows under a
header, ready to plot: threads across, throughput up, a line for each compute; *.json everything,
for throughput-report and throughput-compare.

Flags are passed on, and the last of each kind counts:
  perf/sweep.sh concurrent.csv -m concurrent     another mode
  perf/sweep.sh sweep.json --repeat 5            five runs of each cell
  perf/sweep.sh sweep.json --repeat 5 --resume   only what is missing, after it was broken off
  perf/sweep.sh long.csv -t 1,16 -i 20000        other lists, longer runs
On a terminal one line shows the run under way and the time left for all.

WRITE_THROUGHPUT names another program than the one in build/.'

if [[ ${1-} == --help || ${1-} == -h ]]; then
  echo "$help"
  exit 0
fi
output=sweep.csv
if [[ ${1-} == *.csv || ${1-} == *.json ]]; then
  output=$1
  shift
fi
form=(--header)
if [[ $output == *.json ]]; then
  form=(--format json)
fi
program=${WRITE_THROUGHPUT-$(dirname "$0")/../build/apps/write-throughput/write-throughput}
if [[ ! -x $program ]]; then
  echo "perf/sweep.sh: $program is not there: make build, or set WRITE_THROUGHPUT" >&2
  exit 2
fi

"$program" --threads 1,2,4,8 --compute 0,100,500,1000 --batch-size 100 -i 1000 --order random \
  --summary none "${form[@]}" -o "$output" "$@"
echo "sweep: $output" >&2
