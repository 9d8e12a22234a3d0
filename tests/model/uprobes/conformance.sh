#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# conformance.sh BUILD [FILE] - whom conformance.md (FILE) names exists: a case of
# cases.h or a test of ctest.
set -eu
here=$(dirname "${BASH_SOURCE[0]}")
known=$(
	sed -n 's/.*\tX(\([a-z0-9_]*\)).*/\1/p' "$here/cases.h"
	ctest --test-dir "$1" -N | sed -n 's/^ *Test *#[0-9]*: //p'
)
named=$(awk -F'|' '/^\|/ && ++n > 2 { print $3 }' "${2-$here/conformance.md}" | tr ', ' '\n\n' | sed '/^$/d' | sort -u)
[ "$(wc -l <<<"$named")" -gt 20 ] || { echo "the table is not read"; exit 1; }
bad=$(grep -vxFf <(printf '%s\n' "$known") <<<"$named" || true)
[ -z "$bad" ] || { echo "conformance.md names what is not there:" $bad; exit 1; }
