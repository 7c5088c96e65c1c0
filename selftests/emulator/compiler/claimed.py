# SPDX-License-Identifier: GPL-2.0-only
"""Claim memory before any driver is loaded, by the kernel's parameter reserve=."""

MOST = 4                # ranges of the parameter
LIMIT = 0xffffffff      # highest address


def read(root):
    """Return the parameter for the kernel's command line, or ""."""
    ranges = []
    for node in root.nodes("claimed"):
        ranges += [node.num("address", limit=LIMIT), node.num("bytes", limit=LIMIT)]
        node.done()
    if len(ranges) > 2 * MOST:
        root.fail("claimed", f"has {len(ranges) // 2} places", f"{MOST} at most")
    return "reserve=" + ",".join(f"{n:#x}" for n in ranges) if ranges else ""
