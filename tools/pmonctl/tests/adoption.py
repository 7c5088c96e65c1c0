# SPDX-License-Identifier: GPL-2.0-only
"""The file that `pmonctl adopt uncore` writes."""
import os

UNCORE = "etc/modprobe.d/openpmon-uncore.conf"
ADOPTION = ("# Written by pmonctl adopt; pmonctl release removes it.\n"
            "options intel_uncore uncore_no_discover=1\n")
# Modes of files hold for root, too, under this command.
WEAK = [] if os.getuid() else ["setpriv", "--bounding-set=-dac_override"]
