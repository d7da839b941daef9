"""How the cost of an operation depends on the number of coroutines."""
import statistics

from . import catalogue


def factor(costs):
    """The largest ratio of a cost to a cost among fewer coroutines: 1 if no cost grows.

    A cost that falls first, because more timers share one poll, does not hide a later growth.
    """
    largest, lowest = 1.0, None
    for count in sorted(costs):
        if lowest:
            largest = max(largest, costs[count] / lowest)
        lowest = costs[count] if lowest is None else min(lowest, costs[count])
    return largest


def from_figures(results):
    """CPU time by operation and count: the median of the rounds."""
    costs = {}
    for operation in catalogue.GROWTH_OPERATIONS:
        for count in catalogue.GROWTH_COUNTS:
            values = [figures[key] for figures in results
                      if (key := f"growth {count} {operation}") in figures]
            if values:
                costs.setdefault(operation, {})[count] = statistics.median(values)
    return costs
