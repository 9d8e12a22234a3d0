#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# suite.sh DIR BUILD LIST - run every test of the folder BUILD, as its CMake files
# have it, in one boot of the guest (boot.sh). Prints a line for each, and what one
# that failed has said. LIST gets a line for each, too: STATUS TAB NAME TAB REASON,
# where STATUS is passed, failed or skipped. One that was not seen to end has failed,
# whatever QEMU says. The status of this script says nothing of them.
#
# $ARM64_TEST_TIMEOUT: seconds that a test may take, on that CPU; TIMEOUT of the
# CMake files is for a real one.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=$1 build=$2 list=$3
limit=${ARM64_TEST_TIMEOUT-300}
token=$RANDOM$RANDOM
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A shell script: one line a test.
ctest --test-dir "$build" --show-only=json-v1 | python3 -c '
import json, shlex, sys
for test in json.load(sys.stdin)["tests"]:
    p = {p["name"]: p["value"] for p in test.get("properties", [])}
    words = [test["name"], p.get("SKIP_RETURN_CODE", "none"), p["WORKING_DIRECTORY"],
             *p.get("ENVIRONMENT", []), *test["command"]]
    print("run", *(shlex.quote(str(w)) for w in words))
' >"$work"/tests
[ -s "$work"/tests ] || { echo "suite.sh: there are no tests in $build" >&2; exit 1; }

# The marks stand in lines of their own; the number is the guest's uptime.
cat - "$work"/tests >"$work"/script <<END
${TRAPLINE_FULL+export TRAPLINE_FULL='$TRAPLINE_FULL'}
mark() { echo; echo "mark $token \$* \$(cut -d ' ' -f 1 /proc/uptime)"; }
run()
{
	local name=\$1 skip=\$2 where=\$3
	shift 3
	mark run "\$name" "\$skip"
	mkdir -p "\$where"
	(cd "\$where" && exec timeout -s KILL $limit env "\$@")
	mark end "\$name" \$?
}
END

: >"$list"
"$here"/boot.sh "$dir" "$build" sh -c "$(cat "$work"/script)" 2>&1 |
	awk -v token="$token" -v list="$list" -v names="$work/tests" '
	function result(status, why) {
		done[name]++
		printf "%-7s arm64/%s%s\n", status, name, why ? " (" why ")" : ""
		if (status == "failed")
			printf "%s", said
		fflush()
		print status "\tarm64/" name "\t" (status == "passed" ? "" : why) >list
		name = ""
	}
	$1 == "mark" && $2 == token && $3 == "run" {
		name = $4; skip = $5; start = $6; said = why = ""
		next
	}
	$1 == "mark" && $2 == token && $3 == "end" {
		if ($5 == 0)
			result("passed", sprintf("%.1f s", $6 - start))
		else if ($5 == skip)
			result("skipped", why)
		else
			result("failed", $5 == 137 ? "killed; it took too long?" : "status " $5)
		next
	}
	name == "" && /[^ ]/ { print }
	/[Ss]kip/ && why == "" { why = $0; sub(/^.*[Ss]kip(ped)?: */, "", why) }
	{ said = said $0 "\n" }
	END {
		if (name != "")
			result("failed", "the guest went down")
		while ((getline line <names) > 0) {
			split(line, word, " ")
			name = word[2]
			if (!done[name])
				result("failed", "the guest did not come to it")
		}
	}' || true
