# SPDX-License-Identifier: GPL-2.0-only
"""Strip comments and quoted text from C source, for checks of code."""

import re

PIECE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def code_of(text, strings=False):
    """Return the text without comments and, by default, without the contents of
    quotes. Line numbers stay."""
    def blank(m):
        if m[0][0] in "\"'":
            return m[0] if strings else '""'
        return " " + "\n" * m[0].count("\n")
    return PIECE.sub(blank, text)
