# A thin front of the presets in CMakePresets.json; each target is a command you could type.

JOBS ?= $(shell nproc)
# Tests that fork run apart: in a child, what threads of earlier tests hold is lost.
VALGRIND_ROOMS ?= base event context scheduler reactor wait concurrency \
                  signal names watch io process runtime threads
VALGRIND = valgrind --quiet --fair-sched=yes --error-exitcode=99 --leak-check=full \
           --show-leak-kinds=definite --errors-for-leak-kinds=definite --child-silent-after-fork=yes

help:
	@echo "make demo      build and start the web server of examples/demo, until Ctrl-C"
	@echo "make test      build and run all tests: g++, clang, and a selection under sanitizers"
	@echo "make check     lint, and the tests of the rooms you changed (ROOMS=\"io wait\" selects), g++ only"
	@echo "make test-portable  the whole test suite on the backend of libuv and POSIX alone"
	@echo "make php       build the PHP extension, build/php/weft.so"
	@echo "make test-php  run its tests with real servers (TESTS=... selects, MODE=quick: also JIT, xdebug and others, all: and valgrind)"
	@echo "make demo-php  blocking PHP code, one after the other and in coroutines"
	@echo "make test-install  build, pack, install and use weft in every way, with every compiler"
	@echo "make deb       build the Debian packages: build/deb/"
	@echo "make bench     run the benchmarks; write bench/README.md, results and charts"
	@echo "make docs      build the documentation site: build/docs/html/index.html"
	@echo "make lint      check layers, doors, requirement ids, mutations, portability, exports, hooks, words, docs, changes and format"
	@echo "make format    format all C++ files"
	@echo "make tidy      run clang-tidy on all sources"
	@echo "make stress    run the long tests"
	@echo "make valgrind  run the tests of most rooms under valgrind, without explorations"
	@echo "make setup     install missing Debian packages (demo, test and bench do it too)"
	@echo "make clean     remove build/"

setup:
	@tools/setup

demo:
	@tools/setup --build
	cmake --preset demo
	cmake --build --preset demo --parallel $(JOBS) --target example_demo
	build/demo/examples/demo

test: setup
	@tools/run_tests --jobs $(JOBS)
	@tools/release --mark tests

check: setup
	@tools/check_changed --jobs $(JOBS) $(ROOMS)

test-portable: setup
	@tools/run_tests --portable --jobs $(JOBS)
	@tools/release --mark portable

php:
	@tools/setup --php
	cmake --preset gcc -DWEFT_BUILD_PHP=ON
	cmake --build --preset gcc --parallel $(JOBS) --target weft_php

test-php: php
	php/tools/run_tests $(if $(MODE),--mode $(MODE)) $(TESTS)
	$(if $(and $(filter quick all,$(MODE)),$(if $(TESTS),,all)),@tools/release --mark php)

demo-php: php
	tools/services run php/tools/demo

test-install:
	@tools/setup --install
	@tools/test_install --jobs $(JOBS)
	@tools/release --mark install

deb:
	@tools/build_deb --jobs $(JOBS)

# The bridge with real PostgreSQL, Redis, MariaDB and nginx; everything must have been built.
test-services: setup
	tools/services run ctest --preset gcc --label-regex services --output-on-failure

bench:
	@tools/setup
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target bench/all gate
	bench/run build/release $(BENCH)

docs:
	@tools/build_docs
	@tools/release --mark docs

lint:
	python3 tools/check_layers.py
	python3 tools/check_doors.py
	python3 tools/trace_requirements --check
	python3 tools/mutate --check
	python3 tools/without --check
	python3 tools/check_portable.py
	python3 tools/exports.py --check
	python3 tools/check_hooks.py
	python3 tools/check_words.py
	python3 tools/check_docs.py
	python3 tools/changes.py --check
	python3 tools/check_walk.py
	python3 tools/check_format.py

format:
	python3 tools/check_format.py --fix

tidy: setup
	python3 tools/tidy.py --jobs $(JOBS)

stress: setup
	cmake --preset gcc
	cmake --build --preset gcc --parallel $(JOBS)
	ctest --preset stress

valgrind: setup
	cmake --preset gcc
	cmake --build --preset gcc --parallel $(JOBS) --target $(VALGRIND_ROOMS:%=%_test)
	for room in $(VALGRIND_ROOMS); do \
	  for tests in '-Stress*:RealTime*:*Explor*:*Fork*' '*Fork*-Stress*:RealTime*:*Explor*'; do \
	    $(VALGRIND) build/gcc/tests/$${room}_test --gtest_brief=1 --gtest_filter="$$tests" || exit 1; \
	  done; \
	done

clean:
	rm -rf build

.PHONY: help setup demo test check test-portable test-install deb php test-php demo-php test-services bench docs lint format tidy stress valgrind clean
