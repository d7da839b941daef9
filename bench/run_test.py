#!/usr/bin/env python3
"""Tests of run.py: the table, the goals, and the text around the table. Runs no benchmark."""
import pathlib
import tempfile
import unittest

import run


def source_of(binary):
    if binary.endswith((".js", ".py")):
        return f"peers/{binary}"
    _, side, name = binary.split("_", 2)
    return {"weft": f"weft/{name}.cpp", "peer": f"peers/{name}.cpp", "go": f"peers/{name}.go"}[side]


class TableTest(unittest.TestCase):
    def test_the_ratio_is_the_median_of_the_rounds_ratios(self):
        row = run.Row("yield", "ns", "weft", "peer", "Peer", 0.30)
        results = [{"weft": 2.0, "peer": 10.0}, {"weft": 4.0, "peer": 16.0},
                   {"weft": 9.0, "peer": 10.0}]
        self.assertEqual(run.table_line(row, results),
                         ["yield", "4.00 (2.00–9.00) ns", "Peer 10.0 (10.0–16.0) ns", "0.25",
                          "≤ 0.30 ×", "yes"])

    def test_a_strict_goal_is_not_reached_by_its_own_value(self):
        row = run.Row("created", "s", "weft", goal=6, strict=True)
        self.assertEqual(run.table_line(row, [{"weft": 6.0}])[-2:], ["< 6 s", "no"])
        row = row._replace(strict=False)
        self.assertEqual(run.table_line(row, [{"weft": 6.0}])[-2:], ["≤ 6 s", "yes"])

    def test_a_goal_of_zero_is_reached_only_by_zero(self):
        row = run.Row("switches", "", "weft", goal=0)
        self.assertEqual(run.table_line(row, [{"weft": 0.0}])[-1], "yes")
        self.assertEqual(run.table_line(row, [{"weft": 0.001}])[-1], "no")

    def test_what_was_not_measured_is_not_called_reached(self):
        row = run.Row("yield", "ns", "weft", "peer", "Peer", 0.30)
        self.assertEqual(run.table_line(row, [{"weft": 2.0}])[-1], "not measured")

    def test_a_row_that_asks_for_an_unknown_program_does_not_exist(self):
        keys = [program.key for program in run.PROGRAMS]
        for row in run.ROWS:
            for figure in filter(None, (row.weft, row.peer)):
                self.assertTrue(any(figure.startswith(key + " ") for key in keys), figure)

    def test_every_program_has_a_source(self):
        here = pathlib.Path(__file__).resolve().parent
        for program in run.PROGRAMS:
            self.assertTrue((here / source_of(program.binary)).exists(), program.binary)


class EchoTest(unittest.TestCase):
    def test_every_peer_has_a_source_that_the_readme_names(self):
        text = (run.HERE / "README.md").read_text(encoding="utf-8")
        for program in run.echo_programs(64):
            if program.key.startswith("weft "):
                continue
            source = source_of(program.binary)
            self.assertTrue((run.HERE / source).exists(), source)
            self.assertIn(f"`{source}`", text)

    def test_its_rows_ask_for_its_programs(self):
        keys = [program.key for program in run.echo_programs(64)]
        for row in run.echo_rows(64):
            for figure in (row.weft, row.peer):
                self.assertTrue(any(figure.startswith(key + " ") for key in keys), figure)

    def test_the_server_is_pinned_and_the_load_is_not(self):
        program = run.Program("epoll echo 64", "bench_peer_echo_epoll", plain=True, connections=64)
        command = run.load_command(program, pathlib.Path("server"), ["taskset", "-c", "1"], 0.5,
                                   "load")
        self.assertEqual(command[:7], ["load", "--connections", "64", "--seconds", "1.0",
                                       "--server-core", "1"])
        self.assertEqual(command[-2:], ["--", "server"])


    def test_a_script_that_becomes_the_server_gets_a_folder(self):
        program = run.Program("nginx http", "http_hello_nginx.py", plain=True, connections=64,
                              http=True)
        command = run.load_command(program, pathlib.Path("http_hello_nginx.py"), [], 0.5,
                                   pathlib.Path("build/load"))
        self.assertIn("--http", command)
        self.assertEqual(command[-3:], ["--", "http_hello_nginx.py", "build/http_hello_nginx"])


class ParseTest(unittest.TestCase):
    def test_reads_cpu_time_and_counters(self):
        text = ('{"benchmarks": [{"name": "await/process_time", "cpu_time": 1.5, "real_time": 9,'
                ' "switches_per_op": 0}]}')
        self.assertEqual(run.parse_benchmark_json(text),
                         {"await": 1.5, "await.switches_per_op": 0.0})

    def test_a_benchmark_that_reports_an_error_has_failed(self):
        text = '{"benchmarks": [{"name": "x", "error_occurred": true, "error_message": "no"}]}'
        with self.assertRaisesRegex(ValueError, "x: no"):
            run.parse_benchmark_json(text)

    def test_reads_key_value_lines(self):
        self.assertEqual(run.parse_plain("count 10\nbytes_each 4.1\n"),
                         {"count": 10.0, "bytes_each": 4.1})


class ReadmeTest(unittest.TestCase):
    def test_keeps_the_text_around_the_table(self):
        before = f"above\n{run.BEGIN}\nold\n{run.END}\nbelow\n"
        after = f"above\n{run.BEGIN}\nnew\n{run.END}\nbelow\n"
        self.assertEqual(run.replace_block(before, "new"), after)
        self.assertEqual(run.replace_block(after, "new"), after)

    def test_refuses_a_file_without_markers(self):
        with self.assertRaises(ValueError):
            run.replace_block("no markers", "new")

    def test_the_readme_has_its_markers(self):
        readme = pathlib.Path(run.__file__).resolve().parent / "README.md"
        run.replace_block(readme.read_text(encoding="utf-8"), "")

    def test_nobody_has_written_into_the_table_of_the_readme(self):
        readme = pathlib.Path(run.__file__).resolve().parent / "README.md"
        text = readme.read_text(encoding="utf-8")
        block = text[text.index(run.BEGIN):text.index(run.END)]
        for line in block.splitlines():
            if line.startswith("|"):
                self.assertEqual(line.count("|"), 7, line)

    def test_the_readme_names_the_source_of_every_program(self):
        readme = pathlib.Path(run.__file__).resolve().parent / "README.md"
        text = readme.read_text(encoding="utf-8")
        claims = text[text.index(run.END):]
        for program in run.PROGRAMS:
            self.assertIn(f"`{source_of(program.binary)}`", claims)

    def test_without_programs_it_says_how_to_build_them(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(run.main([empty]), 2)


if __name__ == "__main__":
    unittest.main()
