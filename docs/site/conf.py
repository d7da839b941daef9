"""How Sphinx builds the site of weft. tools/build_docs passes on where Doxygen's XML is, and the version."""

import os

project = "weft"
version = release = os.environ["WEFT_VERSION"]
author = "the weft contributors"
copyright = "the weft contributors, Apache License 2.0"  # noqa: A001: Sphinx wants this name
extensions = ["breathe", "myst_parser"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
breathe_projects = {"weft": os.environ["WEFT_XML"]}
breathe_default_project = "weft"
breathe_default_members = ("members", "protected-members", "undoc-members")
breathe_show_include = False
cpp_maximum_signature_line_length = 90
primary_domain = "cpp"
highlight_language = "cpp"
# Sphinx cannot look up what other libraries declare; tools/check_site.py looks for dead links.
nitpicky = False
html_theme = "furo"
html_title = f"weft {version}"
html_static_path = ["_static"]
html_css_files = ["weft.css"]
html_copy_source = False
html_show_sourcelink = False
pygments_style = "tango"
pygments_dark_style = "monokai"
