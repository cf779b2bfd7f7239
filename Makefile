# Thin verbs over CMake and CTest; `make help` lists them. What apt, the build and make say goes to
# stderr, so that stdout is the program's own: `make run` prints one row and nothing else.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

PACKAGES := g++ cmake ninja-build pkg-config libcxxopts-dev libtbb-dev libpfm4-dev \
  libgtest-dev libgmock-dev locales nlohmann-json3-dev libfmt-dev libexpected-dev libxxhash-dev \
  libboost-dev libgsl-dev gnuplot-nox libsqlite3-0 liburing-dev
# Engines beside Burin and SQLite: loaded where they are there.
ENGINES := liblmdb0 librocksdb7.8 libpq5
SERVERS := postgresql
TEST_TOOLS := valgrind linux-perf python3 patch
APP := build/apps/write-throughput/write-throughput

# $(call configure,FOLDER,CMAKE FLAGS) and $(call compile,FOLDER,BUILD FLAGS)
ccache := $(if $(shell command -v ccache 2>/dev/null),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
configure = cmake -S . -B $(1) -G Ninja $(ccache) $(2) >&2
compile = cmake --build $(1) -j $(JOBS) $(2) >&2
# Tests are compiled far longer than they run: half the time goes to -O2 and debug information.
test_build := -DWARNINGS_AS_ERRORS=ON -DLINK_TIME_OPTIMIZATION=OFF \
  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG"
ctest = ctest --test-dir $(1) --output-on-failure -j $(JOBS)

.PHONY: help deps deps-all build run test pmu-test otava-test browser-test turso turso-test bench \
  sweep report lint lint-quick asan tsan crash seeded-bugs install package clean
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install the Debian packages that are missing (apt-get, through sudo when not root)
	@.ci/packages $(PACKAGES)

deps-all: deps ## the libraries of all engines, too (RocksDB, LMDB, libpq), and a PostgreSQL to test
	@.ci/packages $(ENGINES)
	@.ci/packages $(SERVERS) || echo "without $(SERVERS) its tests are skipped" >&2

build: deps ## all programs, optimized, in build/
	@$(call configure,build,-DBUILD_TESTING=OFF)
	@$(call compile,build)

run: deps ## one load on a real file in this folder; ARGS="..." adds flags
	@$(call configure,build,-DBUILD_TESTING=OFF)
	@$(call compile,build,--target write-throughput)
	@$(APP) --threads 1 --batch-size 100 --compute 0 -i 10000 $(ARGS)

test: deps ## all tests, warnings as errors, in build-test/
	@.ci/packages $(TEST_TOOLS) || echo "without $(TEST_TOOLS) the tests that need one are skipped" >&2
	@$(call configure,build-test,$(test_build))
	@$(call compile,build-test)
	@$(call ctest,build-test)

pmu-test: deps ## counters on an emulated machine that has a PMU (tests/pmu/README.md)
	@tests/pmu/run $(JOBS)

browser-test: deps ## the page of throughput-report in headless Chromium, on screen and on paper
	@.ci/packages chromium poppler-utils python3
	@$(call configure,build-test,$(test_build))
	@$(call compile,build-test,--target throughput-report)
	@$(call ctest,build-test) -R page_in_a_browser

turso: ## the engine Turso in build/turso/ (cargo; some minutes when it is new)
	$(if $(shell command -v cargo),,$(error turso needs Rust's cargo: https://rustup.rs))
	@$(turso_cargo) build $(turso_crate) >&2
	@install -m 755 build/turso/cargo/release/libturso_target.so build/turso/
turso_cargo = CARGO_TARGET_DIR=build/turso/cargo CARGO_BUILD_JOBS=$(JOBS) cargo
turso_crate = --release --locked --manifest-path apps/write-throughput/targets/turso/Cargo.toml

turso-test: deps turso ## every mode of the engine Turso, with --verify and its syncs counted
	@$(turso_cargo) test $(turso_crate) --quiet >&2
	@$(call configure,build)
	@$(call compile,build,--target write-throughput write_throughput_turso_tests)
	@build/tests/write-throughput/targets/write_throughput_turso_tests --gtest_brief=1

otava-test: deps ## change points of throughput-changes against Apache Otava's own (pip)
	@tests/throughput-changes/install_otava
	@$(call configure,build-test,$(test_build))
	@$(call compile,build-test,--target throughput-changes)
	@tests/throughput-changes/otava_test.py \
	  build-test/apps/throughput-changes/throughput-changes build-otava/venv

crash: deps ## a million simulated power cuts, every byte flipped (BURIN_CRASH_STATES, _SEED)
	@$(call configure,build-test,$(test_build))
	@$(call compile,build-test,--target engine_tests)
	@BURIN_CRASH_STATES=$${BURIN_CRASH_STATES:-1000000} BURIN_CRASH_THREADS=$(JOBS) \
	  BURIN_EVERY_BYTE=1 build-test/tests/engine/engine_tests --gtest_filter='PowerCut*:BitRot*'

seeded-bugs: deps ## plant known bugs in a copy of the engine; BUGS="..." names those to plant
	@.ci/packages rsync patch
	@tests/engine/seeded_bugs/run $(BUGS)

bench: build ## instructions per row, and ratios against the disk's limit (perf/README.md)
	@.ci/packages valgrind python3
	@perf/instructions.py
	@perf/ratios.py

sweep: build ## threads 1-8 x compute 0-1000 us into sweep.csv; ARGS="..." adds flags
	@perf/sweep.sh $(ARGS)

report: build ## threads x compute x modes into sweep.json, and report.html of it; ARGS="..." adds flags
	@$(APP) -t 1,2,3,4,6,8 --compute 0,100,1000 -m legacy,concurrent -d 1 -r 3 --interval 100 \
	  --format json --summary none -o sweep.json $(ARGS)
	@build/apps/throughput-report/throughput-report sweep.json --scaling -o report.html

lint: deps ## formatting, clang-tidy, cppcheck
	@.ci/packages clang-format clang-tidy-16 cppcheck
	@$(call configure,build-test,$(test_build))
	@.ci/lint build-test

lint-quick: ## the same without clang-tidy
	@.ci/packages clang-format cppcheck
	@.ci/lint

asan: deps ## engine, metrics and report tests under the address and undefined-behaviour sanitizers
	@$(call configure,build-asan,$(sanitized) -DSANITIZE=address$(comma)undefined)
	@$(call compile,build-asan,--target engine_tests engine_runs_tests metrics_tests report_tests)
	@for program in engine/engine_tests engine/runs/engine_runs_tests metrics/metrics_tests \
	  write-throughput/report/report_tests; do \
	  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 GTEST_FILTER='$(quick)' \
	    build-asan/tests/$$program --gtest_brief=1 || exit 1; done
# Without those that open a database thousands of times, or measure memory.
quick := -*Faults*:PowerCut*:*Kill*:*Damage*:*Hostile*:BitRot*:*ALongScan*

tsan: deps ## the engine's concurrent tests under the thread sanitizer
	@$(call configure,build-tsan,$(sanitized) -DSANITIZE=thread)
	@$(call compile,build-tsan,--target engine_tests)
	@TSAN_OPTIONS=halt_on_error=1 build-tsan/tests/engine/engine_tests --gtest_brief=1 \
	  --gtest_filter='Concurrency*:WriterLock*:Pipelined*:*GroupFailure*:*LostUpdate*:*IsolationHistory*'
sanitized := -DLINK_TIME_OPTIMIZATION=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS=-O1 -DCMAKE_CXX_FLAGS_DEBUG=-g1
comma := ,

install: build ## into PREFIX (/usr/local), DESTDIR respected
	@cmake --install build --prefix $(PREFIX) >&2

package: build ## a .deb in build/
	@cmake --build build --target package >&2

clean: ## remove the build folders
	@rm -rf build build-test build-asan build-tsan build-pmu build-otava build-seeded
