# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# tools/upstream/export: what it puts into a tree, and that a change which does
# not fit the code any more is said. selftests/lint/upstream/run builds what it puts.

tree=$tmp/linux
ours=$tmp/ours
mkdir -p "$tree/drivers/perf" "$ours/tools" "$ours/Documentation"
printf 'menu "Perf"\n\nsource "drivers/perf/hisilicon/Kconfig"\n\nendmenu\n' \
	>"$tree/drivers/perf/Kconfig"
# shellcheck disable=SC2016 # make's
echo 'obj-$(CONFIG_CXL_PMU) += cxl_pmu.o' >"$tree/drivers/perf/Makefile"
printf 'The list\n\nINTEL TPMI DRIVER\nM:\tA <a@b>\n\nINTEL VENDOR\nM:\tA <a@b>\n' \
	>"$tree/MAINTAINERS"
printf 'VERSION = 7\nPATCHLEVEL = 3\n' >"$tree/Makefile"
cp -r "$root"/{drivers,include} "$ours/"
cp -r "$root/Documentation/ABI" "$ours/Documentation/"
cp -r "$root/tools/upstream" "$ours/tools/"

like "$("$ours/tools/upstream/export" "$tree" 2>&1)|$?" '^\|0$' \
	'upstream: the drivers are exported'
is "$(grep -rlE 'compat_|COMPAT_|<compat/|<pmon/' "$tree" | wc -l)" 0 \
	'upstream: nothing of other kernels is left'
is "$(grep -c pmon "$tree/drivers/perf/Kconfig" "$tree/drivers/perf/Makefile" |
	tr '\n' ' ')" "$tree/drivers/perf/Kconfig:1 $tree/drivers/perf/Makefile:1 " \
	'upstream: the tree builds them'
is "$(grep -n 'PMON DISCOVERY\|^INTEL' "$tree/MAINTAINERS" | cut -d: -f2 |
	cut -d' ' -f1,2 | tr '\n' ,)" 'INTEL TPMI,INTEL UNCORE,INTEL VENDOR,' \
	'upstream: the section of MAINTAINERS is at its place'
is "$(grep -h '^KernelVersion' "$tree"/Documentation/ABI/testing/* | sort -u |
	tr -s '\t' ' ')" 'KernelVersion: 7.4' 'upstream: the ABI is that of the next release'
is "$(grep -l 'tpmi<N>\|/history$' "$tree"/Documentation/ABI/testing/*)" '' \
	'upstream: what is left out has no ABI'
before=$(find "$tree" -type f -printf '%p %T@\n' | sort)
"$ours/tools/upstream/export" "$tree"
is "$(find "$tree" -type f -printf '%p %T@\n' | sort)" "$before" \
	'upstream: exporting again changes no file'

sed -i 's/rdmsr\\n/rdmsr \\n/' "$ours/drivers/core/regs_msr.c"
like "$("$ours/tools/upstream/export" "$tree" 2>&1)|$?" \
	'^export: changes:[0-9]+: not in core/regs_msr.c any more\|1$' \
	'upstream: a change that does not fit any more'
cp "$root/drivers/core/regs_msr.c" "$ours/drivers/core/"
echo 'int compat_new(void);' >>"$ours/drivers/core/core.h"
like "$("$ours/tools/upstream/export" "$tree" 2>&1)|$?" \
	'^export: core/core.h: compat_new is left\|1$' \
	'upstream: a name of include/compat that it does not know'
like "$("$ours/tools/upstream/export" "$tmp" 2>&1)|$?" 'no Linux source tree\|1$' \
	'upstream: a directory that is no tree'
