"""Draw the icons that the pages show, and no others, without a script.

The theme names its icons by Font Awesome's classes, and brings all two
thousand: as a script of 1.5 MB, and once more as fonts. The shapes of those
that are used are read from that script, and become masks in a style sheet.
"""

import re
from urllib.parse import quote

# An icon in the script: its name, width, height, other names, code and shape.
SHAPE = re.compile(
    r'"?([\w-]+)"?:\[(\d+),(\d+),(\[[^]]*\]),"[0-9a-f]+","([^"]+)"\]'
)
NAME = re.compile(r"\bfa-[\w-]+")
# Classes that say how an icon looks, not which one it is.
LOOKS = {"fa-brands", "fa-lg", "fa-regular", "fa-solid"}
SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {} {}'>"
    "<path d='{}'/></svg>"
)
UNCHANGED = " '/:=,"  # what need not be written by its code in an address
RULES = """\
/*! Icons: Font Awesome Free by @fontawesome, https://fontawesome.com,
 * CC BY 4.0, https://creativecommons.org/licenses/by/4.0/ */
:is(.fa-solid, .fa-brands, .fas, .fab) {
  background: currentcolor;
  display: inline-block;
  height: 1em;
  mask: var(--icon) center / contain no-repeat;
  overflow: clip; /* of the letter that its font would draw */
  vertical-align: -0.125em;
  width: var(--icon-width);
}
.fa-lg {
  font-size: 1.25em;
  line-height: 0.05em;
  vertical-align: -0.075em;
}
@media (forced-colors: active) {
  :is(.fa-solid, .fa-brands, .fas, .fab) {
    background: ButtonText;
    forced-color-adjust: none;
  }
}
"""


def shapes(script):
    """Return the shapes by name; a solid one before an outlined one."""
    found = {}
    for name, width, height, others, path in SHAPE.findall(script):
        for known in (name, *re.findall(r'"([\w-]+)"', others)):
            found[f"fa-{known}"] = int(width), int(height), path
    return found


def icon_rules(classes, script):
    """Return the style sheet of the icons among some classes.

    Raises
    ------
    KeyError
        If a class is that of an icon which the script does not know.
    """
    known = shapes(script)
    rules = [RULES]
    for name in sorted(set(filter(NAME.fullmatch, classes)) - LOOKS):
        width, height, path = known[name]
        drawing = SVG.format(width, height, path)
        address = f"data:image/svg+xml,{quote(drawing, safe=UNCHANGED)}"
        rules.append(
            f'.{name} {{\n  --icon: url("{address}");\n'
            f"  --icon-width: {width / height:g}em;\n}}\n"
        )
    return "".join(rules)


def name_logos(app, pagename, templatename, context, doctree):
    """Let the style sheet bring the logos of a menu, once the menu opens.

    The theme takes a name that begins so for that of an icon.
    """
    for menu in context["header_buttons"]:
        for button in menu.get("buttons", []):
            if logo := re.search(r"logo_(\w+)\.", button["icon"]):
                button["icon"] = f"fa book-{logo[1]}"


def setup(app):
    """Register with Sphinx, after the theme has made its menus."""
    app.connect("html-page-context", name_logos, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
