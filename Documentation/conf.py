# SPDX-License-Identifier: GPL-2.0-only
"""The book: sphinx-build Documentation OUT (Debian's python3-sphinx)."""
# pylint: disable=invalid-name  # the names are Sphinx's

import pathlib

from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging

project = "openpmon"
root_doc = "index"
html_theme = "alabaster"
# Blocks of 100 columns are not cut.
html_theme_options = {"page_width": "1200px", "body_max_width": "auto"}
highlight_language = "text"
html_copy_source = False
html_extra_path = ["demo.txt"]


def link_pages(app, document):
    """Links to files, which a forge follows as they are, lead to pages of the book."""
    here = pathlib.Path(app.env.doc2path(app.env.docname)).parent
    for link in list(document.findall(nodes.reference)):
        name = link.get("refuri", "")
        if name and ":" not in name and not (here / name).exists():
            logging.getLogger(__name__).warning("no such file: %s", name, location=link)
        if name.endswith(".rst") and "://" not in name:
            link.replace_self(addnodes.pending_xref(
                "", nodes.inline(text=name), refdomain="std", reftype="doc", refwarn=True,
                refexplicit=False, refdoc=app.env.docname, reftarget=name.removesuffix(".rst")))


def setup(app):
    app.connect("doctree-read", link_pages)
