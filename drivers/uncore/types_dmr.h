/* SPDX-License-Identifier: GPL-2.0-only */
/* The kinds of boxes of Diamond Rapids, see types_dmr.c. */
#ifndef PMON_UNCORE_TYPES_DMR_H
#define PMON_UNCORE_TYPES_DMR_H

#include <pmon/box.h>

extern const struct pmon_type uncore_type_dmr_cbo;
extern const struct pmon_type uncore_type_dmr_cms;
extern const struct pmon_type uncore_type_dmr_cncu;
extern const struct pmon_type uncore_type_dmr_cpc;
extern const struct pmon_type uncore_type_dmr_crs;
extern const struct pmon_type uncore_type_dmr_cxlcm;
extern const struct pmon_type uncore_type_dmr_dda;
extern const struct pmon_type uncore_type_dmr_hamvf;
extern const struct pmon_type uncore_type_dmr_iio_free_running;
extern const struct pmon_type uncore_type_dmr_imc;
extern const struct pmon_type uncore_type_dmr_itc;
extern const struct pmon_type uncore_type_dmr_otc;
extern const struct pmon_type uncore_type_dmr_pcie4;
extern const struct pmon_type uncore_type_dmr_pcie6;
extern const struct pmon_type uncore_type_dmr_santa;
extern const struct pmon_type uncore_type_dmr_sbo;
extern const struct pmon_type uncore_type_dmr_sca;
extern const struct pmon_type uncore_type_dmr_sncu;
extern const struct pmon_type uncore_type_dmr_ubr;
extern const struct pmon_type uncore_type_dmr_ula;

/* with event controls of 32 bits */
extern const struct pmon_type uncore_type_dmr4_cbo;
extern const struct pmon_type uncore_type_dmr4_cpc;
extern const struct pmon_type uncore_type_dmr4_cxlcm;
extern const struct pmon_type uncore_type_dmr4_dda;
extern const struct pmon_type uncore_type_dmr4_hamvf;
extern const struct pmon_type uncore_type_dmr4_imc;
extern const struct pmon_type uncore_type_dmr4_itc;
extern const struct pmon_type uncore_type_dmr4_otc;
extern const struct pmon_type uncore_type_dmr4_pcie4;
extern const struct pmon_type uncore_type_dmr4_pcie6;
extern const struct pmon_type uncore_type_dmr4_sbo;
extern const struct pmon_type uncore_type_dmr4_sca;
extern const struct pmon_type uncore_type_dmr4_ubr;
extern const struct pmon_type uncore_type_dmr4_ula;

#endif
