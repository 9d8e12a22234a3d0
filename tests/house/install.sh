#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# install.sh BUILD - an installed Trapline explores with its own files: the
# sources named in a finding are the installed ones.
set -eu
build=$1
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >/dev/null
cd "$prefix"
unset TRAPLINE_SOURCE TRAPLINE_LIB
export XDG_CACHE_HOME=$prefix/cache
race=share/trapline/traces/races/slot-wakeup

got=0
bin/trapline explore $race/scenario.c --unfix $race/unfix.patch >out || got=$?
cat out
[ $got -eq 1 ]
grep -q '(share/trapline/model/linux/include/' out

# The schedule names the scenario as it is called there.
bin/trapline replay slot-wakeup.fail.sched

# The catalogue is installed, too.
bin/trapline races | grep -q '^slot-wakeup '
bin/trapline races run slot-wakeup | grep -q '^expected: violated deadlock'
bin/trapline races why slot-wakeup >out
grep -q 'share/trapline/traces/races/slot-wakeup/found.sched' out

# Litmus tests need no compiler, but a program that is installed, too.
printf 'C t\n{}\nP0(int *x) { WRITE_ONCE(*x, 1); }\nexists (x=1)\n' >t.litmus
TRAPLINE_CC=/nowhere bin/trapline explore t.litmus | tee out
grep -q '^Observation t Always 1 0' out
