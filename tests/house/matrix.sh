#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# matrix.sh arm64|here < NAMES - every test that a table of README.md names, in "Processors",
# is among NAMES, one a line: those of the guest, arm64/NAME, or those of this build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
names=$(cat)
named=$(sed -n '/^## Processors/,/^## Limits/p' README.md | grep '^|' |
	grep -oE '`[a-z0-9]+(/[a-z0-9-]+)+`' | tr -d '`' | sort -u |
	if [ "$1" = arm64 ]; then grep '^arm64/'; else grep -v '^arm64/'; fi)
[ -n "$named" ] || { echo "README.md: the table names no test"; exit 1; }
absent=$(grep -vxF -f <(printf '%s\n' "$names") <<<"$named" || true)
[ -z "$absent" ] || { printf 'README.md: there is no test %s\n' $absent; exit 1; }
