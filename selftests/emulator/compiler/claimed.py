# SPDX-License-Identifier: GPL-2.0-only
"""Places that something claims before any driver comes, by the kernel's reserve=."""

MOST = 4                # as many as that parameter takes
LIMIT = 0xffffffff      # and no higher


def read(root):
    """Parameters of the kernel's command line, or ""."""
    ranges = []
    for node in root.nodes("claimed"):
        ranges += [node.num("address", limit=LIMIT), node.num("bytes", limit=LIMIT)]
        node.done()
    if len(ranges) > 2 * MOST:
        root.fail("claimed", f"has {len(ranges) // 2} places", f"{MOST} at most")
    return "reserve=" + ",".join(f"{n:#x}" for n in ranges) if ranges else ""
