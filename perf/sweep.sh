#!/usr/bin/env bash
# The classic sweep: threads 1 2 4 8 x compute 0 100 500 1000 us, batch 100, 1000 iterations.
#   perf/sweep.sh [FILE.csv] [write-throughput's flags...]      (default: sweep.csv)
# The file gets the header and 16 rows, ready to plot: `threads` across, `throughput` up, a line for
# each `compute`. Flags are passed on: `perf/sweep.sh concurrent.csv -m concurrent`.
# WRITE_THROUGHPUT names another program than the one in build/.
set -euo pipefail

output=sweep.csv
if [[ ${1-} == *.csv ]]; then
  output=$1
  shift
fi
program=${WRITE_THROUGHPUT-$(dirname "$0")/../build/apps/write-throughput/write-throughput}

"$program" --threads 1,2,4,8 --compute 0,100,500,1000 --batch-size 100 -i 1000 --header \
  --summary none -o "$output" "$@"
echo "sweep: $output" >&2
