"""The tables of bench/README.md, in Markdown."""
import statistics

from . import catalogue, growth

BEGIN = "<!-- table: begin (written by bench/run) -->"
END = "<!-- table: end -->"


def number_text(value):
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread_text(values, unit):
    if not values:
        return "–"
    text = number_text(statistics.median(values))
    if min(values) != max(values):
        text += f" ({number_text(min(values))}–{number_text(max(values))})"
    return f"{text} {unit}".rstrip()


def limit_text(value, unit):
    return f"{value:,.1f}".removesuffix(".0") + f" {unit}".rstrip()


def goal_text(row):
    sign = "<" if row.strict else "≤"
    parts = []
    if row.goal is not None:
        if row.peer:
            parts.append(f"{sign} {row.goal:.2f} ×")
        else:
            parts.append("0" if row.goal == 0 else f"{sign} {limit_text(row.goal, row.unit)}")
    if row.limit is not None:
        parts.append(f"{sign} {limit_text(row.limit, row.unit)}")
    return ", ".join(parts) or "–"


class Values:
    """The results of all rounds for a row."""

    def __init__(self, row, results):
        self.weft = [r[row.weft] * row.scale for r in results if row.weft in r]
        self.peer = [r[row.peer] * row.scale for r in results if row.peer in r]
        self.ratios = [r[row.weft] / r[row.peer] for r in results
                       if row.weft in r and r.get(row.peer)]


def reached(row, values):
    """yes, no, "not measured", "not counted", or nothing if there is no goal."""
    goals = [(row.goal, values.ratios if row.peer else values.weft), (row.limit, values.weft)]
    goals = [(goal, judged) for goal, judged in goals if goal is not None]
    if not goals:
        return None
    if any(not judged for _, judged in goals):
        return "not counted" if row.counts_calls else "not measured"
    keeps = [statistics.median(judged) < goal or
             (statistics.median(judged) == goal and not row.strict) for goal, judged in goals]
    return "yes" if all(keeps) else "no"


def table_line(row, results):
    """The cells of a row."""
    values = Values(row, results)
    weft_cell = spread_text(values.weft, row.unit)
    if row.counts_calls and not values.weft:
        weft_cell = "cannot be counted here"
    peer_cell = f"{row.peer_name} {spread_text(values.peer, row.unit)}" if row.peer else "–"
    ratio_cell = f"{statistics.median(values.ratios):.2f}" if values.ratios else "–"
    return [row.measure, weft_cell, peer_cell, ratio_cell, goal_text(row),
            reached(row, values) or "–"]


def markdown(lines):
    head, *rest = lines
    return "\n".join("| " + " | ".join(line) + " |"
                     for line in [head, ["---"] * len(head), *rest])


def table(rows, results):
    return markdown([["measure", "weft: median (min–max)", "peer: median (min–max)",
                      "ratio (median of pairs)", "goal", "reached?"],
                     *(table_line(row, results) for row in rows)])


def path_table(instructions):
    """Instructions of the hot paths."""
    lines = [["hot path", "instructions", "goal", "reached?"]]
    for path in catalogue.PATHS:
        count = instructions.get(path.name)
        if count is None:
            continue
        kept = "–" if path.goal is None else "yes" if count <= path.goal else "no"
        lines.append([path.measure, f"{count:,}", f"≤ {path.goal:,}" if path.goal else "–", kept])
    return markdown(lines)


def growth_table(costs, unit):
    """The cost of each operation by number of coroutines, and whether it grows."""
    counts = sorted({count for row in costs.values() for count in row})
    lines = [[f"{unit} each, among", *(f"{count:,}" for count in counts), "growth",
              f"≤ {catalogue.GROWTH_LIMIT} ×?"]]
    for operation, name in catalogue.GROWTH_OPERATIONS.items():
        row = costs.get(operation)
        if not row:
            continue
        factor = growth.factor(row)
        lines.append([name, *(number_text(row[count]) if count in row else "–"
                              for count in counts), f"{factor:.2f}",
                      "yes" if factor <= catalogue.GROWTH_LIMIT else "no"])
    return markdown(lines)


def replace_block(text, block):
    """The text with the part between the markers replaced."""
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        raise ValueError(f"the file has no lines '{BEGIN}' and '{END}' to write between")
    return f"{text[:begin]}{BEGIN}\n{block}\n{text[end:]}"
