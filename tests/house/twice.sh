#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# twice.sh TRAPLINE - the same command prints the same bytes twice, the line
# `time:` aside: both sides of every race, and the schedule that is written.
set -eu
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
	[ $got -eq 0 ] || cat "$out/$n.sched" >>"$out/$n.txt"
}

for race in traces/races/*/; do
	for unfix in '' --unfix="$race/unfix.patch"; do
		[ -z "$unfix" ] || [ -e "${unfix#--unfix=}" ] || continue
		explore 1 "$race/scenario.c" $unfix
		explore 2 "$race/scenario.c" $unfix
		cmp "$out/1.txt" "$out/2.txt"
	done
done
