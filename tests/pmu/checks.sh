#!/bin/sh
# In the guest, as root: the checks that fit this machine.
#   checks.sh with-pmu|without-pmu
failed=0

# checks USER FILTER: a program of its own, so that its threads and counters are, too.
checks() {
  echo "--- $2, as $1"
  su -s /bin/sh "$1" -c "exec /payload/pmu_checks --gtest_brief=1 --gtest_filter='$2'" || failed=1
}

if [ "$1" = without-pmu ]; then
  checks root 'WithoutPmu.*'
  exit $failed
fi
checks root '*Counters*'
checks root 'OneThread.*'
checks root 'FourThreads.*'
checks root 'Threads.*'
checks root 'Program.*'
for level in 3 2; do
  echo $level >/proc/sys/kernel/perf_event_paranoid
  checks nobody "Paranoid$level.*"
done
exit $failed
