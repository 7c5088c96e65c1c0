// SPDX-License-Identifier: GPL-2.0-only
/*
 * Named events of R2PCIe, versions 1 and 2, and of the link layer of QPI. The
 * names are those of Intel's tables; what an even and an odd polarity, a
 * clockwise ring or a message class is stands in the manual of the processor.
 */
#include "names.h"

#define NAME(_name, _event, _umask) \
	{ .name = _name, .event = "event=" _event ",umask=" _umask }

const struct pmon_alias r2_names_v1[] = {
	NAME("clockticks", "0x01", "0x00"),
	NAME("ring_ad_used_cw_even", "0x07", "0x01"),
	NAME("ring_ad_used_cw_odd", "0x07", "0x02"),
	NAME("ring_ad_used_ccw_even", "0x07", "0x04"),
	NAME("ring_ad_used_ccw_odd", "0x07", "0x08"),
	NAME("ring_ak_used_cw_even", "0x08", "0x01"),
	NAME("ring_ak_used_cw_odd", "0x08", "0x02"),
	NAME("ring_ak_used_ccw_even", "0x08", "0x04"),
	NAME("ring_ak_used_ccw_odd", "0x08", "0x08"),
	NAME("ring_bl_used_cw_even", "0x09", "0x01"),
	NAME("ring_bl_used_cw_odd", "0x09", "0x02"),
	NAME("ring_bl_used_ccw_even", "0x09", "0x04"),
	NAME("ring_bl_used_ccw_odd", "0x09", "0x08"),
	NAME("ring_iv_used_any", "0x0a", "0x0f"),
	NAME("rxr_cycles_ne_drs", "0x10", "0x08"),
	NAME("rxr_cycles_ne_ncb", "0x10", "0x10"),
	NAME("rxr_cycles_ne_ncs", "0x10", "0x20"),
	NAME("rxr_ak_bounces", "0x12", "0x00"),
	NAME("txr_cycles_ne_ad", "0x23", "0x01"),
	NAME("txr_cycles_ne_ak", "0x23", "0x02"),
	NAME("txr_cycles_ne_bl", "0x23", "0x04"),
	NAME("txr_cycles_full_ad", "0x25", "0x01"),
	NAME("txr_cycles_full_ak", "0x25", "0x02"),
	NAME("txr_cycles_full_bl", "0x25", "0x04"),
	NAME("txr_nacks_ad", "0x26", "0x01"),
	NAME("txr_nacks_ak", "0x26", "0x02"),
	NAME("txr_nacks_bl", "0x26", "0x04"),
	NAME("iio_credits_used_drs", "0x32", "0x08"),
	NAME("iio_credits_used_ncb", "0x32", "0x10"),
	NAME("iio_credits_used_ncs", "0x32", "0x20"),
	NAME("iio_credits_acquired_drs", "0x33", "0x08"),
	NAME("iio_credits_acquired_ncb", "0x33", "0x10"),
	NAME("iio_credits_acquired_ncs", "0x33", "0x20"),
	NAME("iio_credits_reject_drs", "0x34", "0x08"),
	NAME("iio_credits_reject_ncb", "0x34", "0x10"),
	NAME("iio_credits_reject_ncs", "0x34", "0x20"),
	{}
};

const struct pmon_alias r2_names_v2[] = {
	NAME("clockticks", "0x01", "0x00"),
	NAME("ring_ad_used_cw_vr0_even", "0x07", "0x01"),
	NAME("ring_ad_used_cw_vr0_odd", "0x07", "0x02"),
	NAME("ring_ad_used_ccw_vr0_even", "0x07", "0x04"),
	NAME("ring_ad_used_ccw_vr0_odd", "0x07", "0x08"),
	NAME("ring_ad_used_cw_vr1_even", "0x07", "0x10"),
	NAME("ring_ad_used_cw_vr1_odd", "0x07", "0x20"),
	NAME("ring_ad_used_cw", "0x07", "0x33"),
	NAME("ring_ad_used_ccw_vr1_even", "0x07", "0x40"),
	NAME("ring_ad_used_ccw_vr1_odd", "0x07", "0x80"),
	NAME("ring_ad_used_ccw", "0x07", "0xcc"),
	NAME("ring_ak_used_cw_vr0_even", "0x08", "0x01"),
	NAME("ring_ak_used_cw_vr0_odd", "0x08", "0x02"),
	NAME("ring_ak_used_ccw_vr0_even", "0x08", "0x04"),
	NAME("ring_ak_used_ccw_vr0_odd", "0x08", "0x08"),
	NAME("ring_ak_used_cw_vr1_even", "0x08", "0x10"),
	NAME("ring_ak_used_cw_vr1_odd", "0x08", "0x20"),
	NAME("ring_ak_used_cw", "0x08", "0x33"),
	NAME("ring_ak_used_ccw_vr1_even", "0x08", "0x40"),
	NAME("ring_ak_used_ccw_vr1_odd", "0x08", "0x80"),
	NAME("ring_ak_used_ccw", "0x08", "0xcc"),
	NAME("ring_bl_used_cw_vr0_even", "0x09", "0x01"),
	NAME("ring_bl_used_cw_vr0_odd", "0x09", "0x02"),
	NAME("ring_bl_used_ccw_vr0_even", "0x09", "0x04"),
	NAME("ring_bl_used_ccw_vr0_odd", "0x09", "0x08"),
	NAME("ring_bl_used_cw_vr1_even", "0x09", "0x10"),
	NAME("ring_bl_used_cw_vr1_odd", "0x09", "0x20"),
	NAME("ring_bl_used_cw", "0x09", "0x33"),
	NAME("ring_bl_used_ccw_vr1_even", "0x09", "0x40"),
	NAME("ring_bl_used_ccw_vr1_odd", "0x09", "0x80"),
	NAME("ring_bl_used_ccw", "0x09", "0xcc"),
	NAME("ring_iv_used_cw", "0x0a", "0x33"),
	NAME("ring_iv_used_ccw", "0x0a", "0xcc"),
	NAME("ring_iv_used_any", "0x0a", "0xff"),
	NAME("rxr_cycles_ne_ncb", "0x10", "0x10"),
	NAME("rxr_cycles_ne_ncs", "0x10", "0x20"),
	NAME("rxr_inserts_ncb", "0x11", "0x10"),
	NAME("rxr_inserts_ncs", "0x11", "0x20"),
	NAME("rxr_ak_bounces", "0x12", "0x00"),
	NAME("rxr_ak_bounces_cw", "0x12", "0x01"),
	NAME("rxr_ak_bounces_ccw", "0x12", "0x02"),
	NAME("rxr_occupancy_drs", "0x13", "0x08"),
	NAME("txr_cycles_ne_ad", "0x23", "0x01"),
	NAME("txr_cycles_ne_ak", "0x23", "0x02"),
	NAME("txr_cycles_ne_bl", "0x23", "0x04"),
	NAME("txr_cycles_full_ad", "0x25", "0x01"),
	NAME("txr_cycles_full_ak", "0x25", "0x02"),
	NAME("txr_cycles_full_bl", "0x25", "0x04"),
	NAME("txr_nack_cw_ad", "0x26", "0x01"),
	NAME("txr_nack_cw_ak", "0x26", "0x02"),
	NAME("txr_nack_cw_bl", "0x26", "0x04"),
	NAME("txr_nack_ccw_ad", "0x28", "0x01"),
	NAME("txr_nack_ccw_ak", "0x28", "0x02"),
	NAME("txr_nack_ccw_bl", "0x28", "0x04"),
	NAME("iio_credits_used_drs", "0x32", "0x08"),
	NAME("iio_credits_used_ncb", "0x32", "0x10"),
	NAME("iio_credits_used_ncs", "0x32", "0x20"),
	NAME("iio_credits_acquired_drs", "0x33", "0x08"),
	NAME("iio_credits_acquired_ncb", "0x33", "0x10"),
	NAME("iio_credits_acquired_ncs", "0x33", "0x20"),
	NAME("iio_credits_reject_drs", "0x34", "0x08"),
	{}
};

/*
 * Bit 8 of these is the extra select bit, 21 of the control. The two of the
 * credits are on the manual's page; so are the others in the kernel's driver.
 */
const struct pmon_alias r2_qpi_names[] = {
	NAME("clockticks", "0x014", "0x00"),
	NAME("txl_flits_active", "0x000", "0x06"),
	NAME("drs_data", "0x102", "0x08"),
	NAME("ncb_data", "0x103", "0x04"),
	NAME("vna_credit_return_occupancy", "0x11b", "0x00"),
	NAME("vna_credit_returns", "0x11c", "0x00"),
	{}
};
