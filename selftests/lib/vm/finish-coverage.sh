# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In the guest, after the command: print an archive of gcov's counts, also of unloaded
# modules, if the kernel has gcov.
gcov=/sys/kernel/debug/gcov
[ -e "$gcov" ] || exit 0
mkdir /vm/coverage && cd "$gcov" || exit
find . -name '*.gcda' | while read -r file; do
	mkdir -p "/vm/coverage/${file%/*}"
	cat "$file" >"/vm/coverage/$file"
done
tar -C /vm/coverage -c . | gzip -1
