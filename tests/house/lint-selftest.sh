#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# lint-selftest.sh - every rule of lint passes on a small good tree and fails
# once that tree is broken in the way the rule is there for.
set -eu
lint=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lint
style=$(dirname "$lint")/../../.clang-format
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

good()
{
	rm -rf "$tree"
	mkdir -p "$tree"/{arch,model/linux/include/linux,sim/{base,elf,live,explore,cmd}}
	cp "$style" "$tree/.clang-format"
	printf '<!-- SPDX-License-Identifier: GPL-2.0-only -->\n| P1 | x |\n' >"$tree/model/README.md"
	local d f
	for f in arch/arch.h model/machine.h sim/base/base.h sim/live/live.h \
		sim/explore/explore.h sim/cmd/cmd.h; do
		printf '/* SPDX-License-Identifier: GPL-2.0-only */\nint f(int a);\n' >"$tree/$f"
	done
	for d in arch model sim/base sim/elf sim/live sim/explore sim/cmd; do
		printf '// SPDX-License-Identifier: GPL-2.0-only\nint g(void);\n' >"$tree/$d/a.c"
	done
	printf '#!/bin/sh\n# SPDX-License-Identifier: GPL-2.0-only\n#   ./dev build\n' >"$tree/dev"
	printf '<!-- SPDX-License-Identifier: GPL-2.0-only -->\n./dev build\n' >"$tree/README.md"
}

# expect STATUS RULE WHAT: status of the rule on the tree as it is now.
expect()
{
	local want=$1 rule=$2 what=$3 got=0 out
	out=$("$lint" "$rule" "$tree" 2>&1) || got=$?
	[ "$got" -eq "$want" ] && return
	[ "$got" -eq 77 ] && { echo "skip: $out"; exit 77; }
	echo "$rule, $what: status $got, expected $want"
	printf '%s\n' "$out"
	failures=$((failures + 1))
}

# broken RULE FILE TEXT: the good tree with TEXT appended to FILE must fail.
broken()
{
	good
	printf '%b\n' "$3" >>"$tree/$2"
	expect 1 "$1" "$2 with '${3:0:40}'"
}

good
for rule in spdx format includes headers text size shell notes readme; do
	expect 0 "$rule" "good tree"
done

broken spdx sim/new.h '/* no licence */'
broken spdx sim/cmd/tool.sh '#!/bin/sh'
broken spdx model/new.c '/* SPDX-License-Identifier: GPL-2.0-only */'
broken format sim/base/a.c 'int  b;'
broken includes arch/a.c '#include "machine.h"'
broken includes arch/a.c '#include "sim/base/base.h"'
broken includes model/a.c '#include "base.h"'
broken includes model/a.c '#include <sys/stat.h>'
broken includes sim/base/a.c '#include "live.h"'
broken includes sim/elf/a.c '#include "live.h"'
broken includes sim/live/a.c '#include "../explore/explore.h"'
broken includes sim/explore/a.c '#include "live.h"'
broken includes sim/live/a.c '#include "cmd.h"'
broken headers sim/base/base.h 'size_t n;'
broken headers arch/arch.h '#include <stdio.h>'
broken text sim/base/a.c '/* see /ho''me/somebody/notes */'
broken text dev 'curl https://de''b.debian.org/'
broken text sim/base/a.c '/* TO''DO: later */'
broken size sim/base/a.c "$(printf '/* %0*d */' 100 0)"
broken size sim/base/a.c "$(printf '\\n%.0s' {1..900})"
broken shell dev 'if true'
broken notes model/a.c '/* as always (P1, B2) */'
broken readme README.md './dev fly'
broken readme README.md '[a](nowhere.md)'

good
printf '/* TO''DO(#12): later */\n' >>"$tree/sim/base/a.c"
expect 0 text "a numbered promise"

[ "$failures" -eq 0 ]
