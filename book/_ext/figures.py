"""Put the figures that cells have drawn into the pages themselves.

Behind `<img>` the page's colours and letters do not reach them.  Here a figure
takes both: its house colours become variables of the style sheet, any other
colour gets a counterpart for dark pages, and its panels become pictures of
their own, which the style sheet lays out as they were drawn or, where that
would be too small to read, below each other.
"""

import base64
import io
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
from docutils import nodes
from matplotlib.colors import to_hex, to_rgb
from PIL import Image
from sphinx.transforms.post_transforms import SphinxPostTransform

from bayesbook import drawing
from bayesbook.drawing.figures import LETTERS
from bayesbook.drawing.parts import FADED, SHADE

# The variables of `figures.css`, which has the same colours in light mode.
LINES = {
    drawing.BLUE: "blue",
    drawing.ORANGE: "orange",
    drawing.GREEN: "green",
    drawing.PURPLE: "purple",
}
HOUSE = {
    **{LETTERS[line]: f"{name}-letters" for line, name in LINES.items()},
    **LINES,  # blue is as strong in letters
    drawing.INK: "ink",
    drawing.GREY: "grey",
    drawing.PALE: "pale",
    SHADE: "shade",
    FADED: "faded",
    **{fill: f"fill-{i}" for i, fill in enumerate(drawing.FILLS, start=1)},
    "#ffffff": "paper",
}
PAINTS = ("fill", "stroke")
CLOSE = 1.0  # points by which boxes side by side may overlap
READABLE = 6.75  # points, which are 9 pixels

# Ink and paper of a light and of a dark page, by their lightness in OKLab.
LIGHT, DARK = (0.25, 1.0), (0.87, 0.18)
# Björn Ottosson, "A perceptual color space for image processing", 2020.
_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


# --- Colours --------------------------------------------------------------


def oklab(colour):
    """Return lightness, from 0 to 1, and the two axes of hue of a colour."""
    rgb = np.array(to_rgb(colour))
    light = np.where(
        rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4
    )
    return _TO_LAB @ np.cbrt(_TO_CONES @ light)


def from_oklab(lab):
    """Return the colour that is nearest on a screen, in hexadecimal."""
    light = np.linalg.solve(_TO_CONES, np.linalg.solve(_TO_LAB, lab) ** 3)
    light = np.clip(light, 0, 1)
    rgb = np.where(
        light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055
    )
    return to_hex(np.clip(rgb, 0, 1))


def darkened(colour):
    """Return a colour's counterpart on a dark page, of the same hue.

    White becomes the paper, ink becomes light, what is between stays between.
    """
    lightness, *hue = oklab(colour)
    return from_oklab([np.interp(lightness, LIGHT, DARK), *hue])


def themed(colour):
    """Return how a colour of a figure is written in a page."""
    if colour in HOUSE:
        return f"var(--fig-{HOUSE[colour]})"
    if colour.startswith("#"):
        return f"light-dark({colour},{darkened(colour)})"
    return colour  # none, or a hatching


def darkened_image(data):
    """Return the counterpart of an image, as its data, on a dark page."""
    kind, _, content = data.partition(",")
    image = Image.open(io.BytesIO(base64.b64decode(content))).convert("RGBA")
    pixels = np.array(image)
    # One number for each colour: those are sorted ten times as quickly.
    numbers = pixels[..., :3] @ np.array([1 << 16, 1 << 8, 1])
    numbers, places = np.unique(numbers, return_inverse=True)
    dark = [to_rgb(darkened(f"#{number:06x}")) for number in numbers]
    pixels[..., :3] = np.rint(255 * np.array(dark))[places]
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, format="PNG", optimize=True)
    return f"{kind},{base64.b64encode(file.getvalue()).decode()}"


# --- Panels ---------------------------------------------------------------


@dataclass
class Piece:
    """A part of a drawing, the box of all it shows, and what lies beside."""

    parts: list
    left: float
    right: float
    top: float
    bottom: float
    before: float = 0.0  # to the piece on its left, or to the edge
    after: float = 0.0  # from the last piece to the edge on its right

    def beside(self):
        """Return what a piece needs around itself when it stands alone."""
        edges = np.array([self.left, self.top, self.right, self.bottom])
        out = np.array([-1, -1, 1, 1])
        needed = [
            out * (box_of(part, "data-alone") - edges)
            for part in self.parts
            if "data-alone" in part.attrib
        ]
        sides = ("left", "above", "right", "below")
        most = np.max([np.zeros(4), *needed], axis=0)
        return dict(zip(sides, most.tolist(), strict=True))

    def width_alone(self):
        """Return how wide a piece is when it stands alone."""
        room = self.beside()
        return room["left"] + self.right - self.left + room["right"]

    def leaves(self):
        """Return whether nothing of a piece is seen where panels are alone."""
        shown = [child for part in self.parts for child in part]
        return {child.get("class") for child in shown} == {"together"}


def box_of(part, name="data-box"):
    """Return left, top, right and bottom of a panel."""
    x, y, width, height = map(float, part.get(name).split())
    return np.array([x, y, x + width, y + height])


def apart(parts, axis):
    """Sort parts into lists, of which no two overlap along an axis."""
    lists, end = [], -np.inf
    for part in sorted(parts, key=lambda part: box_of(part)[axis]):
        if box_of(part)[axis] > end - CLOSE:
            lists.append([])
        lists[-1].append(part)
        end = max(end, box_of(part)[axis + 2])
    return lists


def rows_of(root):
    """Cut a drawing into rows of pieces, if all of it lies in panels."""
    _, top, width, height = map(float, root.get("viewBox").split())
    parts = [part for part in root if part.tag != "defs"]
    if not all("data-box" in part.attrib for part in parts):
        return [[Piece(parts, 0.0, width, top, top + height)]]
    rows = []
    for band in apart(parts, axis=1):
        bottom = max(box_of(part)[3] for part in band)
        row, end = [], 0.0
        for column in apart(band, axis=0):
            boxes = [box_of(part) for part in column]
            left, right = min(b[0] for b in boxes), max(b[2] for b in boxes)
            # In the order in which they were drawn.
            column = [part for part in parts if part in column]
            row.append(Piece(column, left, right, top, bottom, left - end))
            end = right
        row[-1].after = width - end
        rows.append(row)
        top = bottom
    return rows


# --- Pages ----------------------------------------------------------------


def adapt(root, name):
    """Give a drawing the page's colours, and ids that are its own there."""
    for paper in root.findall("rect[@class='paper']"):
        root.remove(paper)
    for node in root.iter():
        for key, value in node.items():
            if key in PAINTS:
                node.set(key, themed(value))
            elif key == "id":
                node.set(key, f"{name}-{value}")
            if value.startswith("url(#"):
                node.set(key, value.replace("#", f"#{name}-", 1))


def add_dark_images(root):
    """Put beside every image of a drawing the one for dark pages."""
    for parent in root.iter():
        for image in parent.findall("image"):
            look = {
                "class": "book-dark",
                "href": darkened_image(image.get("href")),
            }
            dark = ET.Element("image", image.attrib | look)
            parent.insert(list(parent).index(image) + 1, dark)
            image.set("class", "book-light")


def styled(**variables):
    """Return variables of a style sheet, without digits that nobody sees."""
    return ";".join(f"--{k}:{v:.5g}" for k, v in variables.items() if v)


def picture_of(piece, root):
    """Return a piece as a picture of its own; the whole has the name."""
    width, height = piece.right - piece.left, piece.bottom - piece.top
    box = (piece.left, piece.top, width, height)
    svg = ET.Element(
        "svg",
        {
            **root.attrib,
            "viewBox": " ".join(f"{value:.6g}" for value in box),
            "width": f"{width:.5g}pt",
            "height": f"{height:.5g}pt",
            "style": styled(
                w=width,
                before=piece.before,
                after=piece.after,
                **piece.beside(),
            ),
            "aria-hidden": "true",
        },
    )
    if piece.leaves():
        svg.set("class", "together")
    svg.extend(piece.parts)
    return svg


def inline(svg, alt, name):
    """Return a figure as the HTML of a page.

    Parameters
    ----------
    svg : str
        As `bayesbook.drawing` writes it.
    alt : str
        The text that stands for it.
    name : str
        Begins its ids.
    """
    root = ET.fromstring(
        svg.replace(' xmlns="http://www.w3.org/2000/svg"', "")
    )
    adapt(root, name)
    add_dark_images(root)
    # An index is small beside its letter, and not a text of its own.
    smallest = min(
        (
            float(node.get("font-size"))
            for node in root.iter()
            if node.tag != "tspan" and node.get("font-size")
        ),
        default=READABLE,
    )
    rows = rows_of(root)
    # What is not seen on a phone lends nothing to the others there.
    lender = next(piece for row in rows for piece in row if not piece.leaves())
    lender.parts = [*root.findall("defs"), *lender.parts]
    width = float(root.get("viewBox").split()[2])
    for key in ("class", "font-family"):
        del root.attrib[key]
    picture = ET.Element(
        "div",
        {
            "class": "book-picture",
            "role": "img",
            "aria-label": alt,
            "style": styled(width=width, least=READABLE / smallest),
        },
    )
    # Rows of several panels stay at one scale when they are laid out anew.
    several = [piece for row in rows if len(row) > 1 for piece in row]
    for row in rows:
        group = ET.SubElement(picture, "div")
        kinds = {part.get("class") for piece in row for part in piece.parts}
        if "whole" in kinds and "panel" not in kinds:
            group.set("class", "book-legend")
        else:
            alike = several if len(row) > 1 else row
            widest = max(piece.width_alone() for piece in alike)
            group.set("style", styled(widest=widest))
        group.extend([picture_of(piece, root) for piece in row])
    return ET.tostring(picture, encoding="unicode")


class drawn(nodes.Element):  # noqa: N801, as docutils calls its nodes
    """A drawing in a page.  Were it `raw`, the search would find its words."""


class sheet(nodes.image):  # noqa: N801
    """An image of a figure whose drawing would be too large."""


class InlineFigures(SphinxPostTransform):
    """Replace the images that cells have made by the figures of a page."""

    # After myst-nb has chosen among the forms of an output.
    default_priority = 5
    formats = ("html",)

    def run(self, **kwargs):
        """Look at every image of a page."""
        for image in list(self.document.findall(nodes.image)):
            uri = image["uri"]
            if uri.endswith(".svg"):
                svg = Path(self.app.srcdir, uri.lstrip("/")).read_text("utf-8")
                if 'class="bayesbook-figure"' in svg:
                    name = " ".join(image.parent["ids"]) or Path(uri).stem
                    html = inline(svg, image.get("alt", ""), name)
                    image.replace_self(drawn(html=html))
            elif {"width", "height"} <= image.attributes.keys():
                image["classes"].append("no-scaled-link")
                image.replace_self(sheet("", **image.attributes))


def write_drawing(translator, node):
    """Write a drawing into its page."""
    translator.body.append(node["html"])
    raise nodes.SkipNode


def write_image(translator, node):
    """Write an image that has its place before it is loaded."""
    builder = translator.builder
    image = translator.emptytag(
        node,
        "img",
        src=f"{builder.imgpath}/{builder.images[node['uri']]}",
        alt=node.get("alt", ""),
        width=node["width"],
        height=node["height"],
        loading="lazy",
        decoding="async",
    )
    translator.body.append(f'<div class="book-sheet">{image}</div>')
    raise nodes.SkipNode


def setup(app):
    """Register with Sphinx."""
    for node, write in ((drawn, write_drawing), (sheet, write_image)):
        app.add_node(node, html=(write, None), singlehtml=(write, None))
    app.add_post_transform(InlineFigures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
