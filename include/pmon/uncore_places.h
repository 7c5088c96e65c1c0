/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reasons of pmon_uncore to reject an address that something else uses. pmonctl
 * doctor is compiled with them.
 */
#ifndef PMON_UNCORE_PLACES_H
#define PMON_UNCORE_PLACES_H

#define UNCORE_IS_FIRMWARE	"is memory of the firmware"
#define UNCORE_IS_ECAM		"inside PCI configuration space"
#define UNCORE_IS_CLAIMED	"claimed by something else"
#define UNCORE_IS_BRIDGED	"behind a bridge to other devices"
#define UNCORE_IS_DEVICE	"inside another device"
#define UNCORE_IS_OUTSIDE	"not inside a BAR of the device"
#define UNCORE_IS_COUNTERLESS	"not a function with counters"

/* With placement=kernel none of them is a reason. */
#define UNCORE_PLACES { \
	UNCORE_IS_FIRMWARE, UNCORE_IS_ECAM, UNCORE_IS_CLAIMED, \
	UNCORE_IS_BRIDGED, UNCORE_IS_DEVICE, UNCORE_IS_OUTSIDE, \
	UNCORE_IS_COUNTERLESS }

#endif
