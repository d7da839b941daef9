#!/usr/bin/env python3
"""Tests of bench/run: the table, the goals, the results, the charts, and the text around the table.
Runs no benchmark."""
import contextlib
import importlib.machinery
import io
import json
import pathlib
import re
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from harness import catalogue, charts, execution, growth, results, table  # noqa: E402


def load_run():
    """Loads bench/run, which has no suffix."""
    loader = importlib.machinery.SourceFileLoader("bench_run", str(HERE / "run"))
    module = types.ModuleType(loader.name)
    module.__file__ = str(HERE / "run")
    loader.exec_module(module)
    return module


run = load_run()


def source_of(binary):
    if binary.endswith((".js", ".py")):
        return f"peers/{binary}"
    _, side, name = binary.split("_", 2)
    return {"weft": f"weft/{name}.cpp", "peer": f"peers/{name}.cpp", "go": f"peers/{name}.go"}[side]


def invented_results(without_calls=False):
    """A round in which every figure has a value."""
    figures = {}
    for row in catalogue.ROWS:
        for figure in filter(None, (row.weft, row.peer)):
            if not (without_calls and row.counts_calls):
                figures[figure] = 1.0 + len(figures)
    for count in catalogue.GROWTH_COUNTS:
        for operation in catalogue.GROWTH_OPERATIONS:
            figures[f"growth {count} {operation}"] = 100.0
    return [figures]


def invented_run(without_calls=False):
    """The text that bench/run would write for these results."""
    measurement = execution.Measurement()
    measurement.results = invented_results(without_calls)
    counted = {"paths": {path.name: 100 for path in catalogue.PATHS},
               "growth": {operation: {count: 500.0 for count in catalogue.GROWTH_COUNTS}
                          for operation in catalogue.GROWTH_OPERATIONS}}
    place = {"machine": {"cpu": "a CPU", "cores": 2, "system": "Linux", "pinned_core": 1},
             "compiler": "g++", "build_type": "Release", "versions": {"Boost": "1.81"}}
    options = types.SimpleNamespace(rounds=1, quick=True, note="invented <figures>")
    return measurement, results.gather(catalogue.ROWS, measurement, counted, place, options)


class TableTest(unittest.TestCase):
    def test_the_ratio_is_the_median_of_the_rounds_ratios(self):
        row = catalogue.Row("yield", "ns", "weft", "peer", "Peer", 0.30)
        found = [{"weft": 2.0, "peer": 10.0}, {"weft": 4.0, "peer": 16.0},
                 {"weft": 9.0, "peer": 10.0}]
        self.assertEqual(table.table_line(row, found),
                         ["yield", "4.00 (2.00–9.00) ns", "Peer 10.0 (10.0–16.0) ns", "0.25",
                          "≤ 0.30 ×", "yes"])

    def test_a_strict_goal_is_not_reached_by_its_own_value(self):
        row = catalogue.Row("created", "s", "weft", goal=6, strict=True)
        self.assertEqual(table.table_line(row, [{"weft": 6.0}])[-2:], ["< 6 s", "no"])
        row = row._replace(strict=False)
        self.assertEqual(table.table_line(row, [{"weft": 6.0}])[-2:], ["≤ 6 s", "yes"])

    def test_a_goal_of_zero_is_reached_only_by_zero(self):
        row = catalogue.Row("switches", "", "weft", goal=0)
        self.assertEqual(table.table_line(row, [{"weft": 0.0}])[-1], "yes")
        self.assertEqual(table.table_line(row, [{"weft": 0.001}])[-1], "no")

    def test_a_row_with_a_ratio_and_a_limit_must_keep_both(self):
        row = catalogue.Row("yield", "ns", "weft", "peer", "Peer", 0.30, limit=9.8)
        self.assertEqual(table.goal_text(row), "≤ 0.30 ×, ≤ 9.8 ns")
        self.assertEqual(table.table_line(row, [{"weft": 9.0, "peer": 90.0}])[-1], "yes")
        self.assertEqual(table.table_line(row, [{"weft": 10.0, "peer": 90.0}])[-1], "no")
        self.assertEqual(table.table_line(row, [{"weft": 9.0, "peer": 10.0}])[-1], "no")

    def test_a_figure_for_many_is_scaled_to_one(self):
        row = catalogue.Row("task", "ns", "weft", "peer", "Peer", 0.5, limit=63, scale=0.001)
        self.assertEqual(table.table_line(row, [{"weft": 60000.0, "peer": 150000.0}])[1:],
                         ["60.0 ns", "Peer 150 ns", "0.40", "≤ 0.50 ×, ≤ 63 ns", "yes"])

    def test_what_was_not_measured_is_not_called_reached(self):
        row = catalogue.Row("yield", "ns", "weft", "peer", "Peer", 0.30)
        self.assertEqual(table.table_line(row, [{"weft": 2.0}])[-1], "not measured")

    def test_a_row_says_that_system_calls_cannot_be_counted(self):
        row = catalogue.Row("calls", "", "weft", "peer", "libuv", 1.0, counts_calls=True)
        self.assertEqual(table.table_line(row, [{}]),
                         ["calls", "cannot be counted here", "libuv –", "–", "≤ 1.00 ×",
                          "not counted"])

    def test_a_row_that_asks_for_an_unknown_program_does_not_exist(self):
        keys = [program.key for program in catalogue.PROGRAMS]
        for row in catalogue.ROWS:
            for figure in filter(None, (row.weft, row.peer)):
                self.assertTrue(any(figure.startswith(key + " ") for key in keys), figure)

    def test_every_program_has_a_source(self):
        for program in catalogue.PROGRAMS:
            self.assertTrue((HERE / source_of(program.binary)).exists(), program.binary)

    def test_every_hot_path_that_is_counted_has_a_row(self):
        lines = execution.GATE_COUNTER.with_name("instructions.txt").read_text(encoding="utf-8")
        counted = {line.split()[0] for line in lines.splitlines() if not line.startswith("#")}
        self.assertEqual(counted, {path.name for path in catalogue.PATHS})


class EchoTest(unittest.TestCase):
    def test_every_peer_has_a_source_that_the_readme_names(self):
        text = (HERE / "README.md").read_text(encoding="utf-8")
        for program in catalogue.echo_programs(64):
            if program.key.startswith("weft "):
                continue
            source = source_of(program.binary)
            self.assertTrue((HERE / source).exists(), source)
            self.assertTrue(f"`{source}`" in text, source)

    def test_its_rows_ask_for_its_programs(self):
        for number in catalogue.ECHO_GOALS:
            keys = [program.key for program in catalogue.echo_programs(number)]
            for row in catalogue.echo_rows(number):
                for figure in (row.weft, row.peer):
                    self.assertTrue(any(figure.startswith(key + " ") for key in keys), figure)

    def test_the_server_is_pinned_and_the_load_is_not(self):
        program = catalogue.Program("epoll echo 64", "bench_peer_echo_epoll", plain=True,
                                    connections=64)
        command = execution.load_command(program, pathlib.Path("server"), ["taskset", "-c", "1"],
                                         0.5, "load")
        self.assertEqual(command[:7], ["load", "--connections", "64", "--seconds", "1.0",
                                       "--server-core", "1"])
        self.assertEqual(command[-2:], ["--", "server"])

    def test_a_script_that_becomes_the_server_gets_a_folder(self):
        program = catalogue.Program("nginx http", "http_hello_nginx.py", plain=True,
                                    connections=64, http=True)
        command = execution.load_command(program, pathlib.Path("http_hello_nginx.py"), [], 0.5,
                                         pathlib.Path("build/load"))
        self.assertIn("--http", command)
        self.assertEqual(command[-3:], ["--", "http_hello_nginx.py", "build/http_hello_nginx"])


class ParseTest(unittest.TestCase):
    def test_reads_cpu_time_and_counters(self):
        text = ('{"benchmarks": [{"name": "await/process_time", "cpu_time": 1.5, "real_time": 9,'
                ' "switches_per_op": 0}]}')
        self.assertEqual(execution.parse_benchmark_json(text),
                         {"await": 1.5, "await.switches_per_op": 0.0})

    def test_a_benchmark_that_reports_an_error_has_failed(self):
        text = '{"benchmarks": [{"name": "x", "error_occurred": true, "error_message": "no"}]}'
        with self.assertRaisesRegex(ValueError, "x: no"):
            execution.parse_benchmark_json(text)

    def test_reads_key_value_lines_and_notes(self):
        text = "count 10\n# system calls cannot be counted here: why\nbytes_each 4.1\n"
        self.assertEqual(execution.parse_plain(text), {"count": 10.0, "bytes_each": 4.1})
        self.assertEqual(execution.notes_of(text), ["system calls cannot be counted here: why"])


class GrowthTest(unittest.TestCase):
    def test_the_factor_is_the_largest_rise(self):
        self.assertEqual(growth.factor({10: 100, 100: 120, 1000: 90}), 1.2)

    def test_a_cost_that_falls_first_hides_no_rise(self):
        self.assertEqual(growth.factor({10: 300, 100: 100, 1000: 200}), 2.0)

    def test_a_cost_that_only_falls_does_not_grow(self):
        self.assertEqual(growth.factor({10: 300, 100: 100}), 1.0)

    def test_the_table_says_what_stays_within_the_limit(self):
        text = table.growth_table({"spawn": {10: 100, 1000: 140}, "wake": {10: 100, 1000: 160}},
                                  "instructions")
        lines = text.splitlines()
        self.assertTrue(lines[2].endswith("| 1.40 | yes |"), lines[2])
        self.assertTrue(lines[3].endswith("| 1.60 | no |"), lines[3])


class ResultsTest(unittest.TestCase):
    def test_has_the_fields_that_the_readme_describes(self):
        _, found = invented_run()
        text = (HERE / "README.md").read_text(encoding="utf-8")
        described = text[text.index("## results.json"):]
        for field in [*found, *found["machine"], *found["rows"][0], *found["rows"][0]["weft"]]:
            self.assertTrue(f"`{field}`" in described, field)

    def test_survives_the_way_through_json(self):
        _, found = invented_run()
        again = json.loads(json.dumps(found))
        self.assertEqual(again, found)
        self.assertEqual(results.growth_costs(again["growth"]["instructions"])["spawn"][10], 500)

    def test_a_run_that_could_not_count_system_calls_is_complete(self):
        measurement, found = invented_run(without_calls=True)
        self.assertNotIn("not measured", [row["reached"] for row in found["rows"]])
        self.assertIn("not counted", [row["reached"] for row in found["rows"]])
        self.assertIn("cannot be counted here", results.text(catalogue.ROWS, measurement, found))


class ChartTest(unittest.TestCase):
    def test_every_chart_is_valid_and_has_the_values_as_text(self):
        _, found = invented_run()
        drawn = dict(charts.draw_all(found))
        self.assertEqual(len(drawn), 6)
        for name, text in drawn.items():
            root = xml.etree.ElementTree.fromstring(text)
            words = " ".join(root.itertext())
            self.assertIn("Invented <figures>.", words, name)
            self.assertIn("weft" if "growth" not in name else "cancel", words, name)

    def test_every_panel_has_its_figure(self):
        figures = {row.weft for row in catalogue.ROWS}
        for _, figure in charts.OPERATIONS + charts.SERVERS:
            self.assertIn(figure, figures)

    def test_labels_do_not_lie_on_each_other(self):
        self.assertEqual(charts.spread_labels([50, 10, 12, 11], 15), [55, 10, 40, 25])

    def test_the_pages_show_charts_that_exist_for_both_themes(self):
        for page in (HERE / "README.md", HERE.parent / "README.md"):
            shown = re.findall(r'(?:srcset|src)="([^"]*\.svg)"', page.read_text(encoding="utf-8"))
            for name in shown:
                self.assertTrue((page.parent / name).exists(), name)
            self.assertEqual(len([name for name in shown if "dark" in name]),
                             len([name for name in shown if "light" in name]))

    def test_the_charts_are_those_of_the_results(self):
        found = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
        for name, text in charts.draw_all(found):
            self.assertEqual((HERE / "charts" / name).read_text(encoding="utf-8"), text, name)


class ReadmeTest(unittest.TestCase):
    def test_keeps_the_text_around_the_table(self):
        before = f"above\n{table.BEGIN}\nold\n{table.END}\nbelow\n"
        after = f"above\n{table.BEGIN}\nnew\n{table.END}\nbelow\n"
        self.assertEqual(table.replace_block(before, "new"), after)
        self.assertEqual(table.replace_block(after, "new"), after)

    def test_refuses_a_file_without_markers(self):
        with self.assertRaises(ValueError):
            table.replace_block("no markers", "new")

    def test_the_readme_has_its_markers(self):
        table.replace_block((HERE / "README.md").read_text(encoding="utf-8"), "")

    def test_the_first_table_of_the_readme_is_whole(self):
        text = (HERE / "README.md").read_text(encoding="utf-8")
        block = text[text.index(table.BEGIN):text.index(table.END)]
        lines = block[block.index("| measure |"):].split("\n\n")[0].splitlines()
        for line in lines:
            self.assertEqual(line.count("|"), 7, line)

    def test_the_readme_names_the_source_of_every_program(self):
        text = (HERE / "README.md").read_text(encoding="utf-8")
        claims = text[text.index(table.END):]
        for program in catalogue.PROGRAMS:
            source = source_of(program.binary)
            self.assertTrue(f"`{source}`" in claims, source)
        self.assertTrue(f"`{source_of(catalogue.GROWTH)}`" in claims)


class RunTest(unittest.TestCase):
    def test_without_programs_it_says_how_to_build_them(self):
        said = io.StringIO()
        with tempfile.TemporaryDirectory() as empty, contextlib.redirect_stderr(said):
            self.assertEqual(run.main([empty]), 2)
        self.assertIn("make bench", said.getvalue())

    def test_five_rounds_unless_asked_otherwise(self):
        self.assertEqual(run.parse_arguments([]).rounds, 5)
        self.assertEqual(run.parse_arguments(["--quick"]).rounds, 2)
        self.assertEqual(run.parse_arguments(["--quick", "-n", "3"]).rounds, 3)


if __name__ == "__main__":
    unittest.main()
