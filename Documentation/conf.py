# SPDX-License-Identifier: GPL-2.0-only
"""The book: sphinx-build Documentation OUT (Debian's python3-sphinx)."""
# pylint: disable=invalid-name  # the names are Sphinx's

from docutils import nodes
from sphinx import addnodes

project = "openpmon"
root_doc = "index"
html_theme = "alabaster"
html_copy_source = False


def link_pages(app, document):
    """Links to files, which a forge follows as they are, lead to pages of the book."""
    for link in list(document.findall(nodes.reference)):
        name = link.get("refuri", "")
        if name.endswith(".rst") and "://" not in name:
            link.replace_self(addnodes.pending_xref(
                "", nodes.inline(text=name), refdomain="std", reftype="doc", refwarn=True,
                refexplicit=False, refdoc=app.env.docname, reftarget=name.removesuffix(".rst")))


def setup(app):
    app.connect("doctree-read", link_pages)
