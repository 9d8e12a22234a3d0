#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# boot.sh DIR BUILD CMD... - run CMD in a guest: the kernel of DIR (fetch.sh) on an
# emulated CPU, $ARM64_CPU (cortex-a53; max,pauth-impdef=on has all that came later).
# This tree and what the folder BUILD has of programs and libraries are where they
# are here, so that a test finds what it was built with; CMD starts in BUILD.
# Ends with CMD's status. It is read from the guest's last line: QEMU itself ends
# with 0 whatever happens, a panic included; without that line it is 125.
set -euo pipefail
dir=$1 build=$(cd "$2" && pwd)
shift 2
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
token=$RANDOM$RANDOM

mkdir -p "$root"/{bin,dev,etc,lib/aarch64-linux-gnu,proc,sys,tmp}
cp "$dir"/sysroot/bin/busybox "$root"/bin
cp -L "$dir"/sysroot/lib/aarch64-linux-gnu/*.so.* \
	"$dir"/sysroot/usr/lib/aarch64-linux-gnu/*.so.* "$root"/lib/aarch64-linux-gnu
cp -L "$dir"/sysroot/lib/ld-linux-aarch64.so.1 "$root"/lib
echo /lib/aarch64-linux-gnu >"$root"/etc/ld.so.conf
cp -r --parents "$top"/{arch,model,sim,tests,traces} "$root"
find "$build" -name CMakeFiles -prune -o -type f \( -perm -u+x -o -name '*.so' \) \
	-exec cp --parents -t "$root" {} +
mkdir -p "$root$build"
printf 'cd %q\n' "$build" >"$root"/cmd
printf '%q ' "$@" >>"$root"/cmd
cat >"$root"/init <<'END'
#!/bin/busybox sh
export PATH=/bin HOME=/ CK_DEFAULT_TIMEOUT=120
/bin/busybox --install -s /bin
chmod 1777 /tmp
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tracefs trace /sys/kernel/tracing
exec >/dev/console 2>&1 </dev/null
sh /cmd
echo "status $token $?"
poweroff -f
END
chmod +x "$root"/init
(cd "$root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$work"/initrd

# One CPU: several are emulated at a fraction of the speed.
timeout "${ARM64_TIMEOUT-1200}" qemu-system-aarch64 -M virt -cpu "${ARM64_CPU-cortex-a53}" \
	-smp 1 -m 1024 -nodefaults -display none -no-reboot -monitor none -serial stdio \
	-kernel "$dir"/vmlinuz -initrd "$work"/initrd \
	-append "console=ttyAMA0 loglevel=0 panic=-1 mitigations=off rcupdate.rcu_expedited=1 rdinit=/init token=$token" \
	</dev/null | sed -u 's,\r$,,' | tee "$work"/log | grep --line-buffered -v "^status $token " || true
status=$(sed -n "s/^status $token \([0-9]*\)\$/\1/p" "$work"/log)
[ -n "$status" ] || { echo "boot.sh: the guest did not come to its end" >&2; exit 125; }
exit "$status"
