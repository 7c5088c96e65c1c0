/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declare hooks for patched parts of QEMU: helpers of rdmsr and wrmsr, TSC
 * and CPUID, ACPI tables, PCI core, CXL devices.  Without a pmon-server
 * device no hook changes QEMU.
 */
#ifndef HW_MISC_PMON_HOOK_H
#define HW_MISC_PMON_HOOK_H

enum pmon_msr_result {
	PMON_MSR_PASS,	/* not modelled: QEMU handles the access */
	PMON_MSR_DONE,
	PMON_MSR_FAULT,	/* raise #GP */
};

enum pmon_msr_result pmon_msr_read(uint32_t msr, uint64_t *val);
enum pmon_msr_result pmon_msr_write(uint32_t msr, uint64_t val);

/* NUMA node of the first PCI root, or -1 if firmware reports none */
int pmon_root_node(void);

/* Addresses to keep out of the windows of host bridges; false: none */
bool pmon_gap(uint64_t *first, uint64_t *last);

/* Root buses of other PCI segments, for the ACPI tables */
typedef struct Aml Aml;

void pmon_segments_describe(Aml *dsdt);
void pmon_segments_list(GArray *mcfg);

/*
 * CXL memory devices and ports:
 * - pmon_cxl_locator() fills in further entries of the register locator and
 *   returns their number;
 * - pmon_cxl_realize(), pmon_cxl_port_bar() add the BAR with the CPMUs;
 * - pmon_cxl_decoder() returns the memory window that firmware has programmed,
 *   false: none;
 * - pmon_cxl_keeps() returns whether a slot keeps its device at power-off;
 * - pmon_cxl_traffic() counts an access to the memory.
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

/* In the PCI core: report the device in a port's slot as present or absent */
void pmon_slot_presence(PCIDevice *port, bool present);

/* True with a machine: root buses may have functions, and CPUID has frequencies */
bool pmon_present(void);

#endif
