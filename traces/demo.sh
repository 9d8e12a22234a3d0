#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# demo.sh - what `./dev demo` shows: a real program traced, a race found, the
# race replayed, and the same search over the correct code. Every line below a
# heading is printed by the program, run as the `$` line says. Exits 1 if
# anything came out otherwise than announced.
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
	"$@" || got=$?
	[ "$got" -eq "$want" ] && return
	echo "demo: exit status $got, expected $want" >&2
	exit 1
}

# Where the dynamic linker finds ls's libc.
libc=$(ldd "$(command -v ls)" | awk '$1 ~ /^libc\.so/ { print $3 }')
hits=$out/ls.hits

heading "1. A real program, traced" \
	"Breakpoints at the entry and return of libc functions; ls itself notices nothing."
expect 2 ls -d arch model no-such-file
echo "(exit status 2, without probes)"
echo
expect 2 trapline trace -o $hits -e "p:$libc:malloc" -e "r:$libc:malloc" \
	-e "p:$libc:setlocale" -e "r:$libc:setlocale" -- ls -d arch model no-such-file
echo "(exit status 2, the same; the hits went to $hits)"
echo
head -n 9 $hits
echo "..."
tail -n 1 $hits

heading "2. A race, found" \
	"The same probe code, every interleaving. The patch undoes one detail: when the last
   slot is freed, sleepers are looked for before the slot's bit is cleared."
sed -n '/^[-+ ]/p' $race/unfix.patch
echo
(
	cd $out
	expect 1 trapline explore ../../$race/scenario.c --unfix ../../$race/unfix.patch
)

sched=$(ls -t $out/*.sched | head -n 1)
heading "3. The race, replayed" \
	"A schedule is text: who runs until what. Nothing is searched this time."
cat "$sched"
echo
expect 0 trapline replay "$sched"

heading "4. Without the patch" \
	"The same search over the code as it should be: all executions, each once."
expect 0 trapline explore $race/scenario.c

echo
echo "README.md goes on from here."
