#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# twice.sh TRAPLINE - the same command prints the same bytes twice, the line
# `time:` aside: a race with and without each of its patches, and the schedule
# that is written. The second time two processes search. Every fourth race; all
# with TRAPLINE_FULL=1.
set -eu
shopt -s nullglob
trapline=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

explore()
{
	local n=$1 got=0
	shift
	"$trapline" explore "$@" --schedule-out "$out/$n.sched" >"$out/$n.all" || got=$?
	[ $got -le 1 ] || { echo "$*: status $got"; exit 1; }
	grep -v -e '^time:' -e "$out" "$out/$n.all" >"$out/$n.txt"
	[ ! -e "$out/$n.sched" ] || cat "$out/$n.sched" >>"$out/$n.txt"
}

races=(traces/races/*)
step=4
[ -z "${TRAPLINE_FULL-}" ] || step=1
for ((i = 0; i < ${#races[@]}; i += step)); do
	race=${races[i]}
	for patch in '' "$race"/*.patch; do
		rm -f "$out"/*.sched
		explore 1 "$race/scenario.c" ${patch:+--unfix="$patch"}
		explore 2 "$race/scenario.c" ${patch:+--unfix="$patch"} --jobs 2
		cmp "$out/1.txt" "$out/2.txt"
	done
done
