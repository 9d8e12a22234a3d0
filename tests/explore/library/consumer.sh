#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# consumer.sh BUILD CC GCC - the example beside this file, compiled outside of the tree
# against an installed libtrapline-explore. CC compiles the test, GCC the scenario.
set -eu
build=$1 cc=$2 gcc=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cmake --install "$build" --prefix "$dir/prefix" >/dev/null
mkdir "$dir/away"
cd "$dir/away"
cp "$here"/*.[ch] .
unset TRAPLINE_SOURCE TRAPLINE_LIB
export PKG_CONFIG_PATH=$dir/prefix/lib/pkgconfig

# A header of ours in a program that is strict, on its own.
echo '#include <trapline/explore.h>' >alone.c
"$cc" -std=c11 -Wall -Wextra -pedantic -Werror $(pkg-config --cflags trapline-explore) \
	-fsyntax-only alone.c

"$gcc" $(pkg-config --variable=scenario_cflags trapline-explore) -c counter.scenario.c
"$cc" -std=gnu11 -Wall -Werror $(pkg-config --cflags trapline-explore check) -fno-pie \
	-o test_counter test_counter.c counter.scenario.o \
	$(pkg-config --libs trapline-explore check)
./test_counter
CK_FORK=no ./test_counter

# Nothing can clash with a user's names.
foreign=$(nm -g --defined-only "$dir/prefix/lib/libtrapline-explore.a" |
	awk 'NF == 3 && $3 !~ /^(trapline_|__tsan_|__sanitizer_cov_|__VERIFIER_)/ { print $3 }')
[ -z "$foreign" ] || { echo "visible: $foreign"; exit 1; }
