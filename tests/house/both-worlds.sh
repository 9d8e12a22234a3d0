#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# both-worlds.sh TRAPLINE COVER MODEL TARGETS - no state machine exists twice:
# which functions of the model run live, and which are explored?
#
# COVER is trapline with a model that tells what it enters, MODEL an instrumented
# model in which nothing is inlined, TARGETS the programs to trace. Scenarios of the
# tree are explored. Three lists are printed: what ran in both worlds, only
# live, only explored. In the files of the state machines, whatever ran in one
# world only must be in the file one-world, with a reason.
set -eu
trapline=$1 cover=$2 model=$3 targets=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Explored, with the archives of the build but for the model's.
mkdir "$tmp/lib"
ln -s "$(dirname "$trapline")"/lib/*.a "$tmp/lib"
ln -sf "$model" "$tmp/lib"
export TRAPLINE_LIB=$tmp/lib XDG_CACHE_HOME=$tmp/cache

explore()
{
	local got=0
	"$trapline" explore "$@" --cover --format json --schedule-out /dev/null \
		>"$tmp/json" 2>"$tmp/errors" || got=$?
	[ $got -le 1 ] || { echo "explore $*: status $got"; cat "$tmp/errors"; exit 1; }
	python3 -c '
import json, sys
for c in json.loads(sys.stdin.readlines()[-1])["cover"]:
    for name in c["reached"]:
        print(c["file"], name)' <"$tmp/json" >>"$tmp/explored"
}

# Races reach little that those of the tests do not: every fourth, but for
# TRAPLINE_FULL=1.
races=(traces/races/*/)
step=4
[ -z "${TRAPLINE_FULL-}" ] || step=1
for ((i = 0; i < ${#races[@]}; i += step)); do
	race=${races[i]}
	explore "$race/scenario.c" "--memory=$(sed -n 's/^memory: //p' "$race/expect")"
done
for scenario in tests/model/uprobes/explore/*.c; do
	explore "$scenario"
done
explore tests/model/uprobes/explore/signal-step.c --variant signals=siglock
explore tests/model/uprobes/explore/two-sessions.c --variant storage=kmalloc

# Live: entry and return of every probed function.
export ENTERED=$tmp/entered

# trace NAME [ARGUMENT [OPTION...]]
trace()
{
	local name=$1 argument=${2-} probes=() p got=0
	shift $(($# < 2 ? $# : 2))
	for p in $(nm --defined-only "$targets/$name" | sed -n 's/.* \(probed_\)/\1/p'); do
		probes+=(-e "p:$targets/$name:$p" -e "r:$targets/$name:$p")
	done
	"$cover" trace -c "${probes[@]}" "$@" -- "$targets/$name" $argument \
		>"$tmp/out" 2>&1 </dev/null || got=$?
	! grep -q 'Operation not permitted' "$tmp/out" ||
		{ echo "skip: ptrace is not permitted here"; exit 77; }
	[ $got -eq 0 ] || { echo "trace $name: status $got"; cat "$tmp/out"; exit 1; }
}

trace frames			# nested returns, longjmp, tail calls
trace children			# fork and vfork in return-probed functions
trace storm '' --step=bp	# a stepped probe, threads, signals
trace storm '' --step=bp --variant signals=siglock
trace frames '' -e "r:$targets/frames:probed_nested" # two returns of one call
trace frames '' -e "r:$targets/frames:probed_nested" --variant storage=kmalloc
read -r place late _ < <("$targets/semaphore" places)
trace semaphore values -e "p:$targets/semaphore:child($place)" \
	-e "p:$targets/libsemaphore.so:probed_late($late)" # counters, now and later
trace busy 150000 -e r:libc.so.6:usleep # the timer of pending returns
trace busy 150000 --limit 100	# detach in the middle

# What the files of the model define; scenarios' own functions are left out.
pick()
{
	grep -E '^model/(uprobes/|linux/core/entry\.c)' "$1" | sort -u
}
pick "$tmp/explored" >"$tmp/explore"
pick "$tmp/entered" >"$tmp/live"

show()
{
	echo "$1 ($(wc -l <"$2")):"
	awk '$1 != file { printf "%s  %s:", sep, file = $1; sep = "\n" }
		{ printf " %s", $2 } END { if (NR) print "" }' "$2"
}
comm -12 "$tmp/live" "$tmp/explore" >"$tmp/both"
comm -23 "$tmp/live" "$tmp/explore" >"$tmp/only-live"
comm -13 "$tmp/live" "$tmp/explore" >"$tmp/only-explore"
show "in both worlds" "$tmp/both"
show "live only" "$tmp/only-live"
show "explored only" "$tmp/only-explore"

# one-world has lines "WORLD FILE FUNCTION REASON"; a reason is needed, and so is
# the line.
machines='model/(uprobes/(hit|step|xol|uretprobe|hprobe|ri|ri_pool|ri_kmalloc|signals|variant|task|ref_ctr)|linux/core/entry)\.c'
for world in live explore; do
	grep -E "^$machines " "$tmp/only-$world" | while read -r file name; do
		grep -qE "^$world $file $name ..*" "$here/one-world" ||
			echo "$file: $name ran only in the world '$world', for no reason given"
	done
done >"$tmp/complaints"
while read -r world file name _; do
	case $world in '#'* | '') continue ;; esac
	grep -qsx "$file $name" "$tmp/only-$world" ||
		echo "one-world: $name of $file does not run only in the world '$world'"
done <"$here/one-world" >>"$tmp/complaints"
cat "$tmp/complaints"
[ -s "$tmp/both" ] && [ ! -s "$tmp/complaints" ]
