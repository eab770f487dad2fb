"""Write a drawing as SVG."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from doublecross.server.pictures.shapes import Box, Disc, Drawing, Polygon, Shape, Stroke, Text

FONTS = "system-ui, 'DejaVu Sans', Arial, sans-serif"


def svg_text(drawing: Drawing) -> str:
    """Return the drawing as an SVG document without scripts, styles or references."""
    size = f'width="{drawing.width}" height="{drawing.height}"'
    box = f'viewBox="0 0 {drawing.width} {drawing.height}"'
    title = escape("".join(c if c.isprintable() else "\ufffd" for c in drawing.title))
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img"'
            f" font-family={quoteattr(FONTS)}>",
            f"<title>{title}</title>",
            *map(_element, drawing.shapes),
            "</svg>\n",
        )
    )


def _element(shape: Shape) -> str:
    colour = f'fill="{shape.colour}"'
    match shape:
        case Box((left, top, right, bottom), radius, _, rim):
            place = f'x="{_n(left)}" y="{_n(top)}"'
            size = f'width="{_n(right - left)}" height="{_n(bottom - top)}"'
            border = f' stroke="{rim}"' if rim else ""
            return f'<rect {place} {size} rx="{_n(radius)}" {colour}{border}/>'
        case Polygon(points, _):
            corners = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
            return f'<polygon points="{corners}" {colour}/>'
        case Stroke((x1, y1), (x2, y2), width, line):
            path = f'd="M{_n(x1)} {_n(y1)}L{_n(x2)} {_n(y2)}"'
            pen = f'stroke="{line}" stroke-width="{_n(width)}" stroke-linecap="round"'
            return f"<path {path} {pen}/>"
        case Disc((x, y), radius, line, width):
            if width:
                radius -= width / 2
                colour = f'fill="none" stroke="{line}" stroke-width="{_n(width)}"'
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" {colour}/>'
        case Text((x, y), text, size_px, _, anchor, bold):
            # 0.36 of the font's height is half of a capital letter.
            place = f'x="{_n(x)}" y="{_n(y + 0.36 * size_px)}" text-anchor="{anchor}"'
            weight = ' font-weight="700"' if bold else ""
            return f'<text {place} font-size="{_n(size_px)}"{weight} {colour}>{escape(text)}</text>'


def _n(value: float) -> str:
    """Return a number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
