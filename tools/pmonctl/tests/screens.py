# SPDX-License-Identifier: GPL-2.0-only
"""Sentences that several screens have."""
PL1 = "POWER_PKG_PL1_MSR_TPMI"
RECORD_MOVES = "Looking moves the hardware's record into openpmon's log; --once does not."
NO_POWER = "socket 0: power and its limits are not known on this kernel"
