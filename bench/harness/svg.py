"""The part of SVG that the charts need."""
from xml.sax.saxutils import escape, quoteattr

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
# Of GitHub's light and dark pages, on which the charts stand without a background of their own.
THEMES = {
    "light": {"text": "#1f2328", "faint": "#59636e", "line": "#d1d9e0", "bar": "#afb8c1",
              "accent": "#0969da", "series": ["#0969da", "#bc4c00", "#1a7f37", "#8250df"]},
    "dark": {"text": "#f0f6fc", "faint": "#9198a1", "line": "#3d444d", "bar": "#656c76",
             "accent": "#4493f8", "series": ["#4493f8", "#f0883e", "#3fb950", "#ab7df8"]},
}


class Drawing:
    """Collects elements; coordinates are pixels."""

    def __init__(self, width, theme):
        self.width = width
        self.theme = THEMES[theme]
        self.elements = []

    def element(self, name, content="", **attributes):
        text = "".join(f" {key.replace('_', '-')}={quoteattr(str(value))}"
                       for key, value in attributes.items())
        end = f">{escape(content)}</{name}>" if content else "/>"
        self.elements.append(f"  <{name}{text}{end}")

    def text(self, x, y, content, colour="text", size=13, **attributes):
        self.element("text", content, x=f"{x:.1f}", y=f"{y:.1f}", font_size=size,
                     fill=self.theme.get(colour, colour), **attributes)

    def bar(self, x, y, width, height, colour):
        self.element("rect", x=f"{x:.1f}", y=f"{y:.1f}", width=f"{max(width, 1):.1f}",
                     height=height, rx=2, fill=self.theme[colour])

    def line(self, points, colour, width=1, **attributes):
        self.element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points),
                     fill="none", stroke=self.theme.get(colour, colour), stroke_width=width,
                     **attributes)

    def dot(self, x, y, colour):
        self.element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=3, fill=colour)

    def document(self, height, title, description):
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {height:.0f}" '
            f'width="{self.width}" height="{height:.0f}" role="img" font-family="{FONT}">',
            f"  <title>{escape(title)}</title>", f"  <desc>{escape(description)}</desc>",
            *self.elements, "</svg>", ""])
