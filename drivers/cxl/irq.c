// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt of a CPMU. Its vectors are those that cxl_pci has allocated for
 * the function; one that is there is shared, and no other is asked for. Those
 * of a port are for what its driver does, and not for CPMUs.
 */
#include <linux/interrupt.h>
#include <linux/pci.h>

#include "cxl.h"

/* Several CPMUs, the mailbox and events may share the vector. */
static irqreturn_t cxl_irq(int irq, void *data)
{
	struct cxl_cpmu *cpmu = data;
	struct pmon_pmu *pmu = READ_ONCE(cpmu->pmu);

	return pmu && pmon_pmu_overflow(pmu) ? IRQ_HANDLED : IRQ_NONE;
}

/**
 * cxl_irq_get() - use the interrupt of a CPMU, if there is one and it is of use
 * @cpmu: without a PMU; it is told whether it has one
 */
void cxl_irq_get(struct cxl_cpmu *cpmu)
{
	struct pci_dev *pdev = cpmu->pdev;
	int irq;

	cpmu->caps.overflow = false;
	if (cpmu->kind != CXL_MEMORY || !cpmu_wants_interrupt(&cpmu->caps) ||
	    (!pdev->msi_enabled && !pdev->msix_enabled))
		return;
	irq = pci_irq_vector(pdev, cpmu->caps.message);
	if (irq <= 0 || request_irq(irq, cxl_irq, IRQF_SHARED | IRQF_NO_THREAD,
				    cpmu->name, cpmu))
		return;
	cpmu->irq = irq;
	cpmu->caps.overflow = true;
}

/**
 * cxl_irq_put() - use it no more; it is not served when this returns
 * @cpmu: the CPMU
 */
void cxl_irq_put(struct cxl_cpmu *cpmu)
{
	if (cpmu->irq)
		free_irq(cpmu->irq, cpmu);
	cpmu->irq = 0;
}
