#!/usr/bin/env bash
# Every engine side by side in interleaved rounds: threads 1 2 4 8 x batch 1 100, each engine in its
# best durable mode that awaits every commit, and raw-log, the disk's limit, among them.
#   perf/peers.sh [ROUNDS [SECONDS [RUNS.csv]]]      (default: 5 rounds, 1 second, peers.csv)
# A round runs every cell once (with 8 engines some two minutes) and then goes into RUNS.csv as a
# whole; the order of the engines turns from round to round. Rounds that are in RUNS.csv already are
# not run again, so a run that was broken off goes on, and more ROUNDS add to it. The table on stdout
# has medians. Engines that are not there are left out with a line (make deps-all and make turso bring
# them); so is a run that fails. ENGINES names others or fewer, WRITE_THROUGHPUT another program than
# the one in build/. With POSTGRES_DSN, libpq's connection string of a server, postgres is among the
# engines; its figures are of that server.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
rounds=${1-5}
seconds=${2-1}
runs=${3-peers.csv}
program=${WRITE_THROUGHPUT-$here/../build/apps/write-throughput/write-throughput}
read -r -a wanted <<<"${ENGINES-burin sqlite rocksdb lmdb turso ${POSTGRES_DSN+postgres} raw-log}"

# run ENGINE FLAG...
run() {
  local settings=()
  [ "$1" = postgres ] && settings=(--engine-option "dsn=${POSTGRES_DSN-}")
  "$program" --engine "$1" "${settings[@]}" -m best "${@:2}"
}

engines=()
systems=()
for engine in "${wanted[@]}"; do
  if row=$(run "$engine" -i 1 -q 2>&1); then
    engines+=("$engine")
    systems+=("${row%%,*}")
  else
    echo "peers: left out: $row" >&2
  fi
done

# Rounds of other engines would not be comparable.
first=1
if [ -s "$runs" ]; then
  kept=$(cut -d, -f2 "$runs" | tail -n +2 | sort -u)
  if [ "$kept" != "$(printf '%s\n' "${systems[@]}" | sort -u)" ]; then
    echo "peers: $runs has rounds of other engines (${kept//$'\n'/ }): name another file" >&2
    exit 2
  fi
  first=$(($(tail -n 1 "$runs" | cut -d, -f1) + 1))
fi

# one ROUND ENGINE THREADS BATCH: its row, behind the round's number
one() {
  local rows
  if rows=$(run "$2" -t "$3" -b "$4" -d "$seconds" --warmup 0.2 --counters none \
    --format csv-wide -q); then
    [ -s "$runs" ] || [ -s "$runs.round" ] || echo "round,$(head -n 1 <<<"$rows")"
    echo "$1,$(tail -n 1 <<<"$rows")"
  else
    echo "peers: round $1: $2 -t $3 -b $4 failed and is left out" >&2
  fi
}

for ((round = first; round <= rounds; ++round)); do
  : >"$runs.round"
  for threads in 1 2 4 8; do
    for batch in 1 100; do
      for ((i = 0; i < ${#engines[@]}; ++i)); do
        one $round "${engines[$(((i + round) % ${#engines[@]}))]}" $threads $batch >>"$runs.round"
      done
    done
  done
  cat "$runs.round" >>"$runs"
  echo "peers: round $round of $rounds" >&2
done
rm -f "$runs.round"

"$here/peers_table.py" "$runs"
