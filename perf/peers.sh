#!/usr/bin/env bash
# Every engine side by side in one interleaved run: threads 1 2 4 8 x batch 1 100, each engine in its
# best durable mode that awaits every commit, and raw-log, the disk's limit, among them.
#   perf/peers.sh [ROUNDS [SECONDS [RUNS.csv]]]      (default: 5 rounds, 1 second, peers.csv)
# Every round runs every cell once; the order of the engines turns from round to round. RUNS.csv
# keeps the single runs; the table on stdout has their medians. Engines whose library is not there
# are left out with a line (make deps-all installs them). ENGINES names others or fewer,
# WRITE_THROUGHPUT another program than the one in build/. With POSTGRES_DSN, libpq's connection
# string of a server, postgres is among the engines; its figures are of that server.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
rounds=${1-5}
seconds=${2-1}
runs=${3-peers.csv}
program=${WRITE_THROUGHPUT-$here/../build/apps/write-throughput/write-throughput}
read -r -a wanted <<<"${ENGINES-burin sqlite rocksdb lmdb ${POSTGRES_DSN+postgres} raw-log}"

# run ENGINE FLAG...
run() {
  local settings=()
  [ "$1" = postgres ] && settings=(--engine-option "dsn=${POSTGRES_DSN-}")
  "$program" --engine "$1" "${settings[@]}" -m best "${@:2}"
}

engines=()
for engine in "${wanted[@]}"; do
  if why=$(run "$engine" -i 1 -q 2>&1 >/dev/null); then
    engines+=("$engine")
  else
    echo "peers: left out: $why" >&2
  fi
done

: >"$runs"
for ((round = 0; round < rounds; ++round)); do
  for threads in 1 2 4 8; do
    for batch in 1 100; do
      for ((i = 0; i < ${#engines[@]}; ++i)); do
        engine=${engines[$(((i + round) % ${#engines[@]}))]}
        rows=$(run "$engine" -t $threads -b $batch -d "$seconds" --warmup 0.2 --counters none \
          --format csv-wide -q)
        if [ -s "$runs" ]; then
          tail -n 1 <<<"$rows" >>"$runs"
        else
          echo "$rows" >"$runs"
        fi
      done
    done
  done
  echo "peers: round $((round + 1)) of $rounds" >&2
done

"$here/peers_table.py" "$runs"
