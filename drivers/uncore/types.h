/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of boxes there are, see types.c. A platform's rows pick from them.
 */
#ifndef PMON_UNCORE_TYPES_H
#define PMON_UNCORE_TYPES_H

#include <pmon/box.h>

extern const struct pmon_type uncore_type_narrow; /* no name: any 32-bit box */

/* on every platform */
extern const struct pmon_type uncore_type_cha;
extern const struct pmon_type uncore_type_irp;
extern const struct pmon_type uncore_type_upi;
extern const struct pmon_type uncore_type_cxlcm;
extern const struct pmon_type uncore_type_cxldp;
extern const struct pmon_type uncore_type_iio_free_running;

/* Sapphire and Emerald Rapids */
extern const struct pmon_type uncore_type_spr_iio;
extern const struct pmon_type uncore_type_spr_imc;
extern const struct pmon_type uncore_type_spr_mdf;
extern const struct pmon_type uncore_type_spr_pcu;
extern const struct pmon_type uncore_type_spr_ubox;
extern const struct pmon_type uncore_type_imc_free_running;
extern const struct pmon_type uncore_type_m2hbm;
extern const struct pmon_type uncore_type_m2m;
extern const struct pmon_type uncore_type_m2pcie;
extern const struct pmon_type uncore_type_m3upi;
extern const struct pmon_type uncore_type_mchbm;

/* Granite Rapids and all after it */
extern const struct pmon_type uncore_type_b2cmi;
extern const struct pmon_type uncore_type_b2cxl;
extern const struct pmon_type uncore_type_b2hot;
extern const struct pmon_type uncore_type_b2upi;
extern const struct pmon_type uncore_type_chacms;
extern const struct pmon_type uncore_type_gnr_iio;
extern const struct pmon_type uncore_type_gnr_imc;
extern const struct pmon_type uncore_type_gnr_mdf;
extern const struct pmon_type uncore_type_gnr_pcu;
extern const struct pmon_type uncore_type_gnr_ubox;
extern const struct pmon_type uncore_type_pciex16;
extern const struct pmon_type uncore_type_pciex8;

/* client processors */
extern const struct pmon_type uncore_type_client_cbox;
extern const struct pmon_type uncore_type_client_cncu;
extern const struct pmon_type uncore_type_client_hbo;
extern const struct pmon_type uncore_type_client_ia_core_bridge;
extern const struct pmon_type uncore_type_client_imc;
extern const struct pmon_type uncore_type_client_imc_free_running;
extern const struct pmon_type uncore_type_client_santa;
extern const struct pmon_type uncore_type_client_sncu;

#endif
