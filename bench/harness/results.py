"""bench/results.json: the results of a run, for programs. bench/README.md describes the fields."""
import datetime
import json
import statistics

from . import growth, machine, table

SCHEMA = 1


def spread(values):
    """Median and limits of the rounds; nothing if there is no value."""
    if not values:
        return None
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def row_entry(row, group, results):
    values = table.Values(row, results)
    entry = {"measure": group, "unit": row.unit, "figure": row.weft, "weft": spread(values.weft),
             "peer": None, "ratio": spread(values.ratios), "goal": table.goal_text(row),
             "reached": table.reached(row, values)}
    if row.measure != group:
        entry["detail"] = row.measure.removeprefix("– ")
    if row.peer:
        entry["peer"] = {"name": row.peer_name, "figure": row.peer, **(spread(values.peer) or {})}
    if row.counts_calls and not values.weft:
        entry["note"] = "cannot be counted here"
    return entry


def row_entries(rows, results):
    entries, group = [], ""
    for row in rows:
        if not row.measure.startswith("– "):
            group = row.measure
        entries.append(row_entry(row, group, results))
    return entries


def growth_entry(costs):
    """The growth with text keys: JSON has no numbers as keys."""
    return {operation: {"each": {str(count): value for count, value in row.items()},
                        "factor": growth.factor(row)} for operation, row in costs.items()}


def growth_costs(entry):
    """The reverse of growth_entry()."""
    return {operation: {int(count): value for count, value in row["each"].items()}
            for operation, row in entry.items()}


def gather(rows, measurement, counted, place, options):
    """All results of a run. `counted`: instructions of the hot paths, and by number of coroutines."""
    return {
        "schema": SCHEMA,
        "date": datetime.date.today().isoformat(),
        **place,
        "rounds": options.rounds,
        "quick": options.quick,
        "notes": ([options.note] if options.note else []) + measurement.notes,
        "rows": row_entries(rows, measurement.results),
        "instructions": counted["paths"],
        "growth": {"cpu_ns": growth_entry(growth.from_figures(measurement.results)),
                   "instructions": growth_entry(counted["growth"])},
    }


def text(rows, measurement, results):
    """The generated part of bench/README.md."""
    parts = [machine.sentence(results), table.table(rows, measurement.results)]
    if results["instructions"]:
        parts.append(table.path_table(results["instructions"]))
    for unit, name in (("instructions", "instructions"), ("cpu_ns", "ns of CPU time")):
        costs = growth_costs(results["growth"][unit])
        if costs:
            parts.append(table.growth_table(costs, name))
    return "\n\n".join(parts)


def write(path, results):
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
