# SPDX-License-Identifier: GPL-2.0-only
"""Screens of documents are those of a host of two sockets of three dies of 43 modules.

With PMONCTL_SCREENS=DIR, as tools/readme sets it, each screen is written to DIR/NAME.
"""
import os
import pathlib
import re

import pytest

from test_limits import HEAT, PL1, of, server    # noqa: F401  # pylint: disable=unused-import

ROOT = pathlib.Path(__file__).parents[3]
TURBO = ("FREQUENCY", "FREQUENCY_CDYN1")

@pytest.fixture
def two_sockets(server):    # noqa: F811  # pylint: disable=redefined-outer-name
    """Return a function that makes the modules by limits(socket, die, module), and sensors."""
    def make(limits, *sensors):
        server.dies(2, 3, limits, siblings=258)
        for socket in 0, 1:
            server.zone(f":{socket}", f"package-{socket}", 500, 600, energy_uj=1000000, max_energy_range_uj=1000000000)
            server.files(f"sys/class/hwmon/hwmon{socket}", "\n".join(
                (f"/name coretemp\n/temp1_label Package id {socket}", *sensors[socket:socket + 1])))
        return server.passing('[ "$to" -lt 1000 ] || for s in "0 499" "1 311"; do '
                              'echo ${s#* }000000 >"$root/sys/class/powercap/intel-rapl:${s% *}/energy_uj"; done')
    return make

def kept(name, run, shown):
    """Compare a screen with the text of a document, or write the screen."""
    if "PMONCTL_SCREENS" in os.environ:
        pathlib.Path(os.environ["PMONCTL_SCREENS"], name).write_text(run.out)
    else:
        assert [line.rstrip() for line in run.out.splitlines()] == shown

def test_the_first_picture_of_readme_is_a_screen_of_258_modules(two_sockets):
    host = two_sockets(lambda socket, die, module: {
        **of(960, TURBO), **(of(960, PL1) if not socket else of(960, HEAT) if (die, module) == (1, 17) else {})})
    text = re.search(r"```console\n\$ pmonctl plr\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    kept("limits", host.pmonctl("plr"), text.group(1).splitlines())

def test_the_first_screen_of_slow_host_is_a_screen_of_258_modules(two_sockets):
    def limits(socket, die, module):
        if (socket, die, module) == (1, 1, 3):
            return of(0, ("POWER", "POWER_PKG_PL1_PCS"))
        return {**of(7200, TURBO), **(of(7200, PL1) if (socket, die) == (0, 1) else
                                      of(900, HEAT) if (socket, die) == (1, 0) and module < 8 else {})}
    host = two_sockets(limits, "/temp1_input 74000", "/temp1_input 96000")
    page = (ROOT / "Documentation/admin-guide/slow-host.rst").read_text()
    text = re.search(r"    # pmonctl plr\n((?:    .*\n|\n)+)", page).group(1)
    kept("slow-host", host.pmonctl("plr"), [line[4:] for line in text.strip("\n").splitlines()])
