# SPDX-License-Identifier: GPL-2.0-only
"""C source as a check wants to read it: without comments, and without what is
in quotes, which is no code either. Lines keep their numbers."""

import re

PIECE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def code_of(text, strings=False):
    """The text with a blank for each comment; what was in quotes is left out,
    unless strings are asked for."""
    def blank(m):
        if m[0][0] in "\"'":
            return m[0] if strings else '""'
        return " " + "\n" * m[0].count("\n")
    return PIECE.sub(blank, text)
