#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# explore.sh BENCH - `bench explore` counts right and measures something. How fast is
# the machine's affair; how much memory is not.
set -eu
"$1" --json --rounds 1 | python3 -c '
import json, sys
b = json.load(sys.stdin)
assert b["switch_ns"] > 0.5 and b["callback_ns"] > 0.5, b
assert len(b["rows"]) == 15
for r in b["rows"]:
    assert r["executions"] >= 1369 and r["events"] > 5 * r["executions"], r
    assert 0 < r["seconds"] < r["wall_seconds"], r
    assert 5 < r["event_ns"] and r["event_bare"] > 0, r
    assert 1024 < r["peak_kib"] < 16384, r
'
"$1" --rounds 1 | grep -c ' lkmm ' | grep -qx 5
