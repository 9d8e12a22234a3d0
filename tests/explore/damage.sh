#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# damage.sh SOURCE_DIR BUILD_DIR WORK_DIR [FLAG...] - does the comparison notice a damaged engine?
#
# The search is compiled with one thing broken at a time; the random programs of one
# batch must tell each time. An edit that does not change the file is an error: the
# code has moved on and the edit has to follow. A few are always tried, the rest
# under ./dev check --full.
set -u
src=$1 build=$2 work=$3 cc=${CC:-cc}
shift 3
link="-no-pie $*" # the archives may be those of a sanitizer
flags="-std=gnu11 -O2 -fno-pie -D_GNU_SOURCE -w"
includes="-I$src/sim/explore -I$src/sim/base -I$src/sim/include
	-I$src/model/linux/include/sim -I$src/tests/explore"
libs="$build/lib/libtrapline_explore.a $build/lib/libtrapline_trace.a
	$build/lib/libtrapline_base.a -lZydis -lcheck -lsubunit -ldw -lelf -lrt -lm -lpthread"
mkdir -p "$work" && cd "$work" || exit 1

compile() { # object source
	# shellcheck disable=SC2086
	$cc $flags $includes -c "$2" -o "$1.o"
}

tests=
for f in test_brute engine_side machine; do
	compile "$f" "$src/tests/explore/$f.c" || exit 1
	tests="$tests $f.o"
done

# The damaged object, if there is one, takes the place of the archive's.
run() { # batch [object]
	batch=$1
	shift
	# shellcheck disable=SC2086
	$cc $link -Wl,-T,"$src/sim/explore/arena.ld" $tests "$@" $libs \
		-o brute || exit 1
	env -u TRAPLINE_FULL ${batch:+CK_RUN_CASE=$batch} timeout 600 ./brute \
		>brute.log 2>&1
}

passed=0 failed=0
damage() { # what batch file sed-expression
	sed -E "$4" "$src/sim/explore/$3.c" >damaged.c
	if cmp -s damaged.c "$src/sim/explore/$3.c"; then
		echo "not broken, the edit no longer fits: $1"
		failed=$((failed + 1))
		return
	fi
	if ! compile damaged damaged.c; then
		echo "does not compile: $1"
		failed=$((failed + 1))
	elif run "$2" damaged.o; then
		echo "NOT NOTICED: $1"
		failed=$((failed + 1))
	else
		echo "noticed: $1"
		passed=$((passed + 1))
	fi
}

end() {
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
	exit
}

damage "no revisits" basic revisit \
	's/^(void revisit_all.*)$/\1;\n\1/; s/^\tfor \(int r = g->loc_head\[g->ev\[a\]\.loc\]; r >= 0; r = g->ev\[r\]\.link\)/\tfor (int r = -1; r >= 0; r = g->ev[r].link)/'
damage "readers of the overwritten value forgotten" basic graph \
	's/(EV_READ \&\& g->ev\[x\]\.rf == )p \&\&/\1-9 \&\&/'
damage "a choice that was made is removed like any other event" choices revisit \
	's/return e->val == 0;/return true;/'
damage "a turn that read the latest write is cut off like any other" loops spin \
	's/g->ev\[x\]\.stamp < e->stamp\)/true)/'
damage "of several RMWs that wait, one alone is tried" held await \
	's/^(\t+)set_served\(c, slot\);/\1continue;/'
damage "words that are written in no order are not noticed" flags await \
	's/^(\tif \(l->unchained \|\|) must_be_latest.*$/\1 true)/'
[ -n "${TRAPLINE_FULL:-}" ] || end

if ! run ""; then
	echo "the engine is broken as it stands:"
	cat brute.log
	exit 1
fi
damage "no step for an RMW that is too late" basic grow \
	's/^(\t+)grow_doomed\(c, a\);/\1;/'
damage "coherence within a thread forgotten" basic graph \
	's/^(\t+)if \(r > floor\)/\1if (0)/'
damage "writes before later reads under TSO" basic graph \
	's/^\tif \(m == GRAPH_SC\)$/\tif (true)/'
damage "an RMW is no fence under TSO" basic graph \
	's/\(e->flags & EVF_RMW\) \|\|/0 ||/'
damage "each way in which a grace period comes to pass counts" primitives search \
	's/return witness_is_first\(.*$/return true;/'
damage "no test that removed events were added canonically" basic revisit \
	's/^(\t+)if \(!is_maximal\(g, x, a\)\)/\1if (0)/'
damage "an await that was passed over forgets it" "" revisit \
	's/^\tif \(e->nr_pins\)/\tif (0)/'
damage "who waits in a loop has always seen the latest" loops spin \
	's/^(bool spin_is_stale.*)$/\1;\n\1/; s/i >= 0 \&\& i < t->idx; i\+\+/i < -9; i++/'
end
