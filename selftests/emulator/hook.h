/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the patched parts of QEMU call: the rdmsr, wrmsr and rdpmc helpers,
 * CPUID, the ACPI tables and the PCI core.  Without a machine every call says
 * "not mine".
 */
#ifndef HW_MISC_PMON_HOOK_H
#define HW_MISC_PMON_HOOK_H

enum pmon_msr_result {
	PMON_MSR_PASS,	/* QEMU handles it as if there were no model */
	PMON_MSR_DONE,
	PMON_MSR_FAULT,	/* raise #GP */
};

enum pmon_msr_result pmon_msr_read(uint32_t msr, uint64_t *val);
enum pmon_msr_result pmon_msr_write(uint32_t msr, uint64_t val);

/* The counters of the cores, on machines that have them: core.c */
enum pmon_msr_result pmon_rdpmc(uint32_t counter, uint64_t *val);
void pmon_cpuid(uint32_t leaf, uint32_t *eax, uint32_t *ebx, uint32_t *ecx,
		uint32_t *edx);

/* NUMA node of the first PCI root, or -1 when firmware gives none */
int pmon_root_node(void);

/* What no host bridge may have as a window; false: nothing */
bool pmon_gap(uint64_t *first, uint64_t *last);

/* Root buses of other PCI segments, for the ACPI tables */
typedef struct Aml Aml;

void pmon_segments_describe(Aml *dsdt);
void pmon_segments_list(GArray *mcfg);

/*
 * CXL memory devices: more entries of the register locator, which are as many as
 * this says; a BAR; a reset; where firmware has put the memory, if it has; an
 * access to the memory; whether what is in the slot of a port stays when that is
 * switched off.
 */
typedef struct PCIDevice PCIDevice;
typedef struct MemoryRegion MemoryRegion;

unsigned int pmon_cxl_locator(PCIDevice *pci, uint64_t *entry, unsigned int room);
void pmon_cxl_realize(PCIDevice *pci);
MemoryRegion *pmon_cxl_port_bar(PCIDevice *pci, MemoryRegion *component);
void pmon_cxl_reset(PCIDevice *pci);
bool pmon_cxl_decoder(PCIDevice *pci, uint64_t *base, uint64_t *size);
bool pmon_cxl_keeps(PCIDevice *port);
void pmon_cxl_traffic(PCIDevice *pci, unsigned int decoder, uint64_t dpa,
		      unsigned int bytes, bool write);

/* In the PCI core: what is in the slot of a port is there, or it is not */
void pmon_slot_presence(PCIDevice *port, bool present);

/* Whether there is a machine: its functions sit on root buses directly */
bool pmon_present(void);

#endif
