// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl adopt: compares PMUs and events before and after a hand-over. */
#include "adopt_compare.h"

#include <string.h>

#include "compare.h"
#include "discovery.h"
#include "output.h"
#include "pmus.h"
#include "hardware.h"
#include "sysfs.h"
#include "table.h"

long adopt_compare_uncore(void)
{
	struct machine m = { 0 };
	struct pmus theirs, ours = { NULL, 0 };
	long losers = -1;

	machine_read(&m);
	theirs = pmus_of_others(&m);
	if (pmus_offered(&ours, &m))
		losers = (long)compare_pmus(&theirs, &ours);
	pmus_free(&theirs);
	pmus_free(&ours);
	machine_free(&m);
	return losers;
}

/* The peer has no events, and its reasons have the same names. */
long adopt_compare_plr(void)
{
	struct table t;
	bool peer = sysfs_exists("/sys/module/intel_plr_tpmi");

	table_start(&t, 2);
	table_cell(&t, "NOW");
	table_cell(&t, "AFTERWARDS");
	table_cell(&t, peer ? "/sys/kernel/debug/tpmi-*/plr" : "-");
	table_cell(&t, CLASS_DIR "/pkg*-dom*/plr");
	table_print(&t);
	return 0;
}

long adopt_compare_r2pcie(void)
{
	return ring_compare(RING_R2PCIE);
}

long adopt_compare_qpi(void)
{
	return ring_compare(RING_QPI);
}

/* The PMUs of CPMUs before; they live as long as the program. */
static struct pmus before;

static bool is_of_cpmu(const char *name)
{
	return !strncmp(name, "cxl_pmu_", strlen("cxl_pmu_"));
}

long adopt_compare_cxl(void)
{
	struct table t;

	pmus_free(&before);
	before = pmus_present(is_of_cpmu);
	if (!before.count)
		return 0;
	table_start(&t, 2);
	table_cell(&t, "NOW");
	table_cell(&t, "AFTERWARDS");
	for (size_t i = 0; i < before.count; i++) {
		table_cell(&t, before.pmu[i].name);
		table_cell(&t, "the same, or all is undone");
	}
	table_print(&t);
	return 0;
}

long adopt_compare_again(void)
{
	struct pmus after = pmus_present(is_of_cpmu);
	long losers = (long)compare_pmus(&before, &after);

	pmus_free(&after);
	return losers;
}
