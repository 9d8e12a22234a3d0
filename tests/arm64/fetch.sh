#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fetch.sh DIR - what an arm64 guest needs, from Debian's packages for arm64:
# DIR/sysroot to build against, DIR/vmlinuz to boot. Packages are only unpacked:
# apt gets lists and a status of its own, this machine's stay as they are. Done
# once for a list of packages; DIR/done has it.
set -euo pipefail
mkdir -p "$1"
cd "$1"
readonly packages=(libc6 libc6-dev linux-libc-dev libcrypt1 libgcc-s1 libgcc-12-dev
	check libsubunit0 libsubunit-dev libcapstone4 libcapstone-dev
	libzydis4.0 libzydis-dev libzycore1.4 libzycore-dev
	libunwind8 libunwind-dev liblzma5 liblzma-dev
	libelf1 libelf-dev libdw1 libdw-dev zlib1g zlib1g-dev libbz2-1.0
	libjansson4 libjansson-dev uthash-dev busybox-static)
# Depends on the image itself, whose name has the version.
readonly kernel=linux-image-6.12-cloud-arm64
[ "$(cat done 2>/dev/null)" != "${packages[*]} $kernel" ] || exit 0

mkdir -p apt/lists/partial apt/archives/partial
apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' |
	awk '$3 == "main" && !seen[$0]++ { print "deb", $1, $2, $3 }' >apt/sources.list
: >apt/status
cat >apt/apt.conf <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
Dir::Etc::sourcelist "$PWD/apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$PWD/apt/lists";
Dir::State::status "$PWD/apt/status";
Dir::Cache "$PWD/apt";
END
export APT_CONFIG=$PWD/apt/apt.conf

apt-get -q update
image=$(apt-cache depends $kernel | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
rm -rf debs sysroot image
mkdir debs sysroot image
(cd debs && apt-get -q download "${packages[@]}" "$image")
for deb in debs/*.deb; do
	case $deb in
	*/linux-image-*) dpkg -x "$deb" image ;;
	*) dpkg -x "$deb" sysroot ;;
	esac
done
mv image/boot/vmlinuz-* vmlinuz
rm -rf image debs
echo "${packages[*]} $kernel" >done
