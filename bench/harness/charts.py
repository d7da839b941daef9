"""Draws bench/charts/*.svg from bench/results.json, each for light and for dark pages.

Usage: python3 -m harness.charts, in bench/; bench/run does it after a run.
"""
import json
import math
import pathlib

from . import catalogue, results as results_file, table
from .svg import THEMES, Drawing

BENCH = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 860
BAR, GAP = 15, 5  # height of a bar, and what is between two

# What the panels are called, and weft's figure that they show.
OPERATIONS = [("Yield, ring of 2", "weft ring 2 yield_ring_2"),
              ("Yield, ring of 1000", "weft ring 1000 yield_ring_1000"),
              ("Spawn + await", "weft spawn spawn_await"),
              ("Unbuffered channel, to and fro", "weft channel channel_ping_pong"),
              ("A value through a buffer of 128", "weft channel channel_buffered"),
              ("100,000 sleeps, stacks in the pool", "weft timers timers_warm")]
SERVERS = [("Echo, 64 connections", "weft echo 64 cpu_ns"),
           ("Echo, 1,000 connections", "weft echo 1000 cpu_ns"),
           ("HTTP hello, 64 connections", "weft http cpu_ns")]
LEFT_OUT = {"a bare switch of stacks"}


def panel_bars(rows, figure):
    """Names and medians of weft and its peers, the fastest first; and the unit."""
    found = [row for row in rows if row["figure"] == figure and row["weft"]]
    if not found:
        return [], ""
    peers = {row["peer"]["name"]: row["peer"]["median"] for row in found
             if row["peer"] and "median" in row["peer"] and row["peer"]["name"] not in LEFT_OUT}
    bars = [("weft", found[0]["weft"]["median"]), *peers.items()]
    return sorted(bars, key=lambda bar: bar[1]), found[0]["unit"]


def value_text(value, unit):
    if unit == "ns" and value >= 1000:
        return f"{value / 1000:.1f} µs"
    return f"{table.number_text(value)} {unit}"


def draw_panel(drawing, x, y, width, title, bars, unit):
    """Horizontal bars from zero, each with its name and value. Returns the height."""
    drawing.text(x, y + 13, title, size=14, font_weight=600)
    names, values = 128, 68
    room = width - names - values
    longest = max(value for _, value in bars)
    top = y + 24
    for name, value in bars:
        is_weft = name == "weft"
        weight = {"font_weight": 600} if is_weft else {}
        drawing.text(x + names - 8, top + 12, name, "text" if is_weft else "faint",
                     text_anchor="end", **weight)
        length = room * value / longest
        drawing.bar(x + names, top, length, BAR, "accent" if is_weft else "bar")
        drawing.text(x + names + length + 6, top + 12, value_text(value, unit),
                     "text" if is_weft else "faint", **weight)
        top += BAR + GAP
    return top - y


def footer(results):
    machine = results["machine"]
    rounds = f"median of {results['rounds']}{' short' if results['quick'] else ''} rounds"
    return f"CPU time, {rounds}. {results['date']}, {machine['cpu']}."


def remarks(results):
    """The notes of a run, except those about system calls, which no chart shows."""
    return " ".join(f"{note[0].upper()}{note[1:]}." for note in results["notes"]
                    if "system calls" not in note)


def draw_footer(drawing, y, results, counted=""):
    text = f"{counted}{footer(results)} {remarks(results)}".strip()
    drawing.text(0, y + 14, text, "faint", 12)
    return y + 22


def bar_chart(results, theme, panels, title):
    """Panels in two columns, each with its own scale; nothing if nothing was measured."""
    drawing = Drawing(WIDTH, theme)
    column = (WIDTH - 40) / 2
    y, said, height, position = 0, [], 0, 0
    for name, figure in panels:
        bars, unit = panel_bars(results["rows"], figure)
        if not bars:
            continue
        side = position % 2
        position += 1
        height = max(height, draw_panel(drawing, side * (column + 40), y, column, name, bars, unit))
        said.append(f"{name}: " + ", ".join(f"{peer} {value_text(value, unit)}"
                                            for peer, value in bars) + ".")
        if side == 1:
            y, height = y + height + 16, 0
    if not said:
        return None
    bottom = draw_footer(drawing, y + height + (4 if height else -8), results)
    return drawing.document(bottom, title, " ".join(said))


def axis_levels(highest):
    """Round numbers from 0 to beyond the highest value, four or five steps."""
    step = next(step for step in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
                if highest <= 5 * step or step == 1000)
    return [step * i for i in range(math.ceil(highest / step) + 1)]


def spread_labels(wanted, apart):
    """Positions near the wanted ones, at least `apart` from each other."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places, last = [0.0] * len(wanted), -math.inf
    for i in order:
        last = places[i] = max(wanted[i], last + apart)
    return places


def count_text(count):
    if count >= 1_000_000:
        return f"{count // 1_000_000} M"
    return f"{count // 1000} k" if count >= 10_000 else f"{count:,}"


def draw_axes(drawing, title, frame, counts, levels, place):
    x, y, left, right, bottom = frame
    drawing.text(x, y + 13, title, size=14, font_weight=600)
    for level in levels:
        at = place(counts[0], level)[1]
        drawing.line([(left, at), (right, at)], "line")
        drawing.text(left - 6, at + 4, f"{level:g}×", "faint", 12, text_anchor="end")
    for count in counts:
        drawing.text(place(count, 0)[0], bottom + 18, count_text(count), "faint", 12,
                     text_anchor="middle")
    drawing.text((left + right) / 2, bottom + 36, "coroutines", "faint", 12,
                 text_anchor="middle")


def draw_lines(drawing, x, y, size, title, costs):
    """Cost by number of coroutines, of the cost among the fewest: a logarithmic axis below, lines
    named where they end."""
    width, height = size
    left, right, top = x + 36, x + width - 110, y + 30
    counts = sorted({count for row in costs.values() for count in row})
    relative = {operation: {count: value / row[min(row)] for count, value in row.items()}
                for operation, row in costs.items()}
    levels = axis_levels(max(catalogue.GROWTH_LIMIT, *(
        value for row in relative.values() for value in row.values())))
    logs = math.log10(counts[-1] / counts[0]) or 1

    def place(count, value):
        return (left + (right - left) * math.log10(count / counts[0]) / logs,
                top + height * (1 - value / levels[-1]))

    draw_axes(drawing, title, (x, y, left, right, top + height), counts, levels, place)
    ends = [place(max(row), row[max(row)])[1] for row in relative.values()]
    for (operation, row), colour, label in zip(relative.items(), drawing.theme["series"],
                                               spread_labels(ends, 15)):
        points = [place(count, row[count]) for count in sorted(row)]
        drawing.line(points, colour, 2, stroke_linejoin="round")
        for point in points:
            drawing.dot(*point, colour)
        last = row[max(row)]
        drawing.text(right + 8, label + 4, f"{operation} {table.number_text(last)}×", colour, font_weight=600)


def growth_chart(results, theme):
    """Instructions on the left, CPU time on the right."""
    drawing = Drawing(WIDTH, theme)
    panels = [("Instructions, of those among 10 coroutines", "instructions"),
              ("CPU time, of that among 10 coroutines", "cpu_ns")]
    panels = [(title, results_file.growth_costs(results["growth"][key])) for title, key in panels]
    panels = [(title, costs) for title, costs in panels if costs]
    if not panels:
        return None
    column = (WIDTH - 30) / 2
    said = []
    for position, (title, costs) in enumerate(panels):
        draw_lines(drawing, position * (column + 30), 0, (column, 180), title, costs)
        said.append(f"{title}: " + "; ".join(
            f"{operation} " + ", ".join(f"{value:,.0f} among {count:,}"
                                        for count, value in sorted(row.items()))
            for operation, row in costs.items()) + ".")
    bottom = draw_footer(drawing, 30 + 180 + 46, results, "Instructions: callgrind. ")
    return drawing.document(bottom, "What an operation costs by the number of coroutines",
                            " ".join(said))


def draw_all(results):
    """Name of a file and its text, for each chart and theme."""
    for theme in THEMES:
        charts = {
            "operations": bar_chart(results, theme, OPERATIONS, "What operations cost"),
            "servers": bar_chart(results, theme, SERVERS, "CPU time of servers per request"),
            "growth": growth_chart(results, theme)}
        for name, text in charts.items():
            if text is not None:
                yield f"{name}-{theme}.svg", text


def write(folder, results):
    folder.mkdir(exist_ok=True)
    for name, text in draw_all(results):
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(BENCH / "charts", json.loads((BENCH / "results.json").read_text(encoding="utf-8")))
