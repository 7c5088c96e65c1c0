# SPDX-License-Identifier: GPL-2.0-only
"""The book: sphinx-build Documentation OUT (Debian's python3-sphinx)."""
# pylint: disable=invalid-name  # the names are Sphinx's

project = "openpmon"
root_doc = "index"
html_theme = "alabaster"
html_copy_source = False
