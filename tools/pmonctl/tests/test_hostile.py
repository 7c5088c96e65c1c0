# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl ends soon on hostile trees, and reads no endless file."""
import os

from result import ABSENT, facts

def limited(host):
    """Make a CPU whose module is limited."""
    host.domain(0, 0, 0).put("pkg0-dom0/plr/die/reasons", "POWER").core(0, 0, 0, 0, "POWER")
    return host.cpu(0, 0, 0, 0)

def pipe(host, name):
    host.at(name).unlink(missing_ok=True)
    os.mkfifo(host.at(name))
    return host

def endless(host):
    os.truncate(host.spr().at("pkg0-uncore0/units"), 1 << 40)
    return host

# A host, a command, and its status and messages
@facts({
    "a link of a CPU leads to a module or nowhere": (
        lambda h: limited(h).link("../../../../class/pmon/pkg0-dom0/plr/..", "sys/devices/system/cpu/cpu0/plr"),
        "plr --cpu 0", (2, "cpu0/plr: no limits are shown")),
    "list does not wait for a pipe": (
        lambda h: pipe(h.spr(), "pkg0-uncore0/rejected"), "list", (1, "pkg0-uncore0/rejected: Invalid argument")),
    "watch does not wait for a pipe": (
        lambda h: pipe(limited(h), "pkg0-dom0/plr/die/time_in_reason"), "plr --watch",
        (2, "no program monitors this domain")),
    "clear does not wait for a pipe": (
        lambda h: pipe(limited(h), "pkg0-dom0/plr/die/clear"), "plr --clear", (1, "die/clear")),
    "a file without end is not read to its end": (endless, "list", (1, "pkg0-uncore0/units: File too large")),
    "a file that is no text is an error": (
        lambda h: h.spr().put_bytes("pkg0-uncore0/units", b"6 imc 0 mmio 0x1 4 48 - -\n\0more"), "list",
        (1, "pkg0-uncore0/units: Invalid argument")),
    **{f"a package of the number {number} has none": (
        lambda h, number=number: h.spr().put("pkg0-uncore0/package_id", number), "list --json",
        (1, "pkg0-uncore0/package_id: Invalid argument"), {"devices/*/socket": [ABSENT], "devices/0/platform": "spr"})
       for number in ("4294967296", "99999999999999999999", "-1", "1x")}})
def test_fact(host, fact):
    host.check(*fact)
