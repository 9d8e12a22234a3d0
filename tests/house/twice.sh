#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# twice.sh TRAPLINE - the same command prints the same bytes twice, the line
# `time:` and the number `seconds` aside: a race with and without each of its patches,
# and the schedule that is written; and a few programs under weaker memory, as text and
# as JSON. The second time two processes search. Every fourth race; all with
# TRAPLINE_FULL=1.
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
	sed -e '/^time:/d' -e 's/"seconds":[0-9.]*//' -e "s,$out/$n,S,g" \
		"$out/$n.all" >"$out/$n.txt"
	[ ! -e "$out/$n.sched" ] || cat "$out/$n.sched" >>"$out/$n.txt"
}

twice()
{
	rm -f "$out"/*.sched
	explore 1 "$@"
	explore 2 "$@" --jobs 2
	cmp "$out/1.txt" "$out/2.txt"
}

races=(traces/races/*)
step=4
[ -z "${TRAPLINE_FULL-}" ] || step=1
for ((i = 0; i < ${#races[@]}; i += step)); do
	race=${races[i]}
	for patch in '' "$race"/*.patch; do
		twice "$race/scenario.c" ${patch:+--unfix="$patch"}
	done
done
for memory in tso lkmm; do
	for format in text json; do
		for program in 'sb -DCHECK' 'mp ' 'fib -DN=4' 'deref -DBESIDE' 'parts -DBESIDE'; do
			# shellcheck disable=SC2086 # its macros are words of their own
			twice tests/explore/programs/${program/ /.c } \
				--memory $memory --format $format
		done
	done
done
