#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# headers.sh DIR COMPILER FLAG... - every header below DIR compiles alone, plain
# and instrumented. Names each one that does not and exits 1.
set -u
dir=$1
shift
bad=0
headers=$(cd "$dir" && find . -name '*.h' | sed 's|^\./||' | sort)
[ -n "$headers" ] || { echo "no headers in $dir"; exit 1; }
for header in $headers; do
	for build in -USIM_EXPLORE -DSIM_EXPLORE; do
		echo "#include <$header>" |
			"$@" "$build" -fsyntax-only -x c - || {
			echo "$header does not compile alone ($build)"
			bad=1
		}
	done
done
exit $bad
