#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# demo.sh - what `./dev demo` shows: a real program traced, a race found, the
# race replayed, and the same search over the correct code. What stands below a
# `$` line is the output of that command. Exits 1 if anything came out otherwise
# than announced.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH=$PWD/build:$PATH
out=build/demo
race=traces/races/slot-wakeup
mkdir -p $out

heading() { printf '\n== %s\n   %s\n\n' "$1" "$2"; }

# expect STATUS COMMAND...: show the command, run it, compare its status.
expect()
{
	local want=$1 got=0
	shift
	printf '$ %s\n' "$*"
	"$@" 2>&1 || got=$?
	[ "$got" -eq "$want" ] && return
	echo "demo: exit status $got, expected $want" >&2
	exit 1
}

heading "1. A real program, traced" \
	"Probes at entry and return of three libc functions. ls runs as ever, and so is its status, 2."
expect 2 ls arch no-such-directory
echo
expect 2 trapline trace -o $out/ls.hits -e p:libc.so.6:opendir -e r:libc.so.6:opendir \
	-e p:libc.so.6:readdir -e r:libc.so.6:readdir \
	-e p:libc.so.6:closedir -e r:libc.so.6:closedir -- ls arch no-such-directory
printf '\n$ cat %s\n' $out/ls.hits
head -n 8 $out/ls.hits
echo "    ..."
tail -n 1 $out/ls.hits

heading "2. A race, found" \
	"The same probe code, in every interleaving. This patch puts a mistake into it: whoever
   frees a slot looks for sleepers before the slot's bit is cleared."
sed -n '/^[-+ ]/p' $race/unfix.patch
echo
rm -f $out/found.sched
expect 1 trapline explore $race/scenario.c --unfix $race/unfix.patch \
	--schedule-out $out/found.sched

heading "3. The race, replayed" \
	"A schedule is text: who runs until where. Nothing is searched this time."
cat $out/found.sched
echo
expect 0 trapline replay $out/found.sched

heading "4. Without the mistake" \
	"The same search over the code as it should be: every execution, each once."
expect 0 trapline explore $race/scenario.c
