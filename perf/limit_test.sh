#!/usr/bin/env bash
# The program `limit` prints one row, refuses bad flags without one, and leaves no file behind.
#   limit_test.sh PATH_OF_LIMIT
set -euo pipefail
limit=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() { echo "limit_test: $1" >&2; exit 1; }

row=$("$limit" -b 100 -i 5)
[[ $row =~ ^raw,1,100,0,[0-9]+\.[0-9][0-9]$ ]] || fail "not a row: $row"

for flags in "-b 0" "-b -1" "-i 1x" "-i" "-b 99999999999999999999" "-b 1000000 -i 1000000" \
  "--folder no/where" "--unknown" "left over"; do
  status=0
  # shellcheck disable=SC2086  # the flags are words
  out=$("$limit" $flags 2>message) || status=$?
  [ "$status" -eq 2 ] || fail "'$flags' ended with $status"
  [ -z "$out" ] || fail "'$flags' printed $out"
  [ "$(wc -l <message)" -eq 1 ] || fail "'$flags' said $(cat message)"
  rm message
done

status=0
"$limit" -i 1 >/dev/full 2>/dev/null || status=$?
[ "$status" -eq 1 ] || fail "a full standard output ended with $status"

[ -z "$(ls -A)" ] || fail "left behind: $(ls -A)"
