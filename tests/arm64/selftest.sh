#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What suite.sh and boot.sh make of a guest that ends well, and of one that goes
# down: a QEMU of ours runs the guest's command on this machine, and always exits 0.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v cpio >/dev/null || { echo "skip: cpio is missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

mkdir -p bin kit/sysroot/{bin,lib/aarch64-linux-gnu,usr/lib/aarch64-linux-gnu} build
touch kit/vmlinuz kit/sysroot/bin/busybox kit/sysroot/lib/ld-linux-aarch64.so.1 \
	kit/sysroot/lib/aarch64-linux-gnu/libx.so.1 kit/sysroot/usr/lib/aarch64-linux-gnu/liby.so.1
cat >bin/qemu-system-aarch64 <<'END'
#!/bin/bash
while [ $# -gt 0 ]; do
	case $1 in
	-initrd) initrd=$2 ;;
	-append) token=${2##*token=} ;;
	esac
	shift
done
cpio -i --quiet --to-stdout cmd <"$initrd" >cmd
: >down
# the guest's tests panic it by writing there
bash cmd </dev/null 2>&1 | while IFS= read -r line; do
	[ ! -s down ] || exit 0
	printf '%s\r\n' "$line"
done
status=${PIPESTATUS[0]}
[ -s down ] || echo "status $token $status"
exit 0
END
chmod +x bin/qemu-system-aarch64
PATH=$work/bin:$PATH

fail() { echo "selftest: $*"; cat out; exit 1; }

# STATUS CMD...
boots()
{
	local want=$1 got=0

	shift
	"$here"/boot.sh kit build "$@" >out 2>&1 || got=$?
	[ $got -eq "$want" ] || fail "status $got, not $want: $*"
}
boots 0 true
boots 3 sh -c 'exit 3'
boots 125 sh -c "echo down >'$work'/down; echo; sleep 1"
boots 125 sh -c "echo 'status 1 0'; echo down >'$work'/down; echo; sleep 1"
boots 0 sh -c "test \"\$PWD\" = '$work'/build"

cat >build/CTestTestfile.cmake <<END
add_test(good "/bin/true")
add_test(bad "sh" "-c" "echo it is bad; exit 1")
add_test(bad77 "sh" "-c" "exit 77")
add_test(not-here "sh" "-c" "echo 'skip: a reason'; exit 77")
add_test(environment "sh" "-c" "test \\"\$A\\" = 'b c' && test \\"\$PWD\\" = '$work/build/sub'")
add_test(slow "sleep" "30")
add_test(down "sh" "-c" "echo down >'$work/down'; echo; sleep 1")
add_test(later "/bin/true")
set_tests_properties(good bad bad77 not-here slow down later PROPERTIES WORKING_DIRECTORY "$work/build")
set_tests_properties(not-here PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(environment PROPERTIES ENVIRONMENT "A=b c" WORKING_DIRECTORY "$work/build/sub")
END
ARM64_TEST_TIMEOUT=1 "$here"/suite.sh kit build list >out 2>&1 || fail "suite.sh: status $?"
diff - list <<END >>out || fail "wrong results"
passed	arm64/good	
failed	arm64/bad	status 1
failed	arm64/bad77	status 77
skipped	arm64/not-here	a reason
passed	arm64/environment	
failed	arm64/slow	killed; it took too long?
failed	arm64/down	the guest went down
failed	arm64/later	the guest did not come to it
END
grep -q '^it is bad' out || fail "what a failed test said is not shown"
