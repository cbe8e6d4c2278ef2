# The everyday commands; `make` alone lists them.

export TOUCHSTONE_PYTHON ?= $(CURDIR)/.build/python/bin/python
SOURCES := Package.swift Examples Plugins Sources Tests

# Swift's libraries inside the program, and its relocations packed: loading them takes a third of a start. The default
# linker cannot do it. The names of functions are for no other program, and ICU's data is cut down to the part in use: without
# both options the program has 112 MB in place of 78 MB. Packages put libraries beside the program, where it looks for them.
ifeq ($(shell uname),Linux)
RELEASE := --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs \
    -Xlinker --no-export-dynamic -Xlinker .build/icu/data.ld -Xlinker '-rpath=$$ORIGIN/../lib/touchstone'
before-release := scripts/icu-data.py .build/icu/data.ld
endif

# Where `make install` puts the program, below a staging folder for packages.
PREFIX ?= /usr/local
DESTDIR ?=
install uninstall: export ROOT = $(DESTDIR)$(PREFIX)
# A program that is built already; default: the release build.
BINARY ?= .build/release/touchstone
# Recipes read paths from the environment, where blanks and quotation marks have no meaning.
export BINARY

.DEFAULT_GOAL := help
.PHONY: help setup build debug debug-tests demo test verify fuzz soak lint format docs bench bench-pages release install uninstall package dist

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## install missing dependencies
	@scripts/setup.sh

build: setup ## build everything, debug
	scripts/build.sh

debug: setup ## build the program, debug
	scripts/build.sh --product touchstone

debug-tests: setup ## build the program and the tests, debug
	scripts/build.sh --build-tests

demo: setup ## build and run the tour
	@echo "Building touchstone and its libraries: about seven minutes on two cores the first time, seconds later."
	@scripts/build.sh --product touchstone
	.build/debug/touchstone demo

test: lint ## lint, build, and run the tests that prove each fact once
	@echo "Building the tests: about seven minutes on two cores the first time."
	@scripts/build-tests.sh
	@scripts/run-suites.sh

verify: lint ## run everything: each combination, mutation and conformance case on each transport; build the docs
	@scripts/build-tests.sh
	@TEST_RING=all scripts/run-suites.sh
	@scripts/docs.sh

fuzz: setup ## two million inputs to nine commands of the authenticator
	scripts/build.sh --build-tests
	TEST_FUZZ_INPUTS=2000000 scripts/run-tests.sh --filter '^FuzzTests\.CommandFuzzTests'

soak: setup ## strain the release build: malformed input, kills, an hour of sign-ins
	scripts/soak.sh

lint: ## check format, documentation, scripts and the house rules
	@scripts/setup.sh lint
	swift format lint --strict --recursive --parallel $(SOURCES)
	scripts/check-house.py
	find .ci Tests browser clients scripts \( -name '*.sh' -o -path .ci/run \) -exec shellcheck {} +
	scripts/mutate.py check

format: ## rewrite the sources in the project's format
	swift format --in-place --recursive --parallel $(SOURCES)

docs: setup ## build the libraries' documentation; warnings are errors
	scripts/docs.sh

bench: setup ## measure the release build
	$(before-release)
	swift build -c release $(RELEASE) --product touchstone
	.build/release/touchstone bench

bench-pages: release ## measure ceremonies in pages of browsers with the release build
	@scripts/setup.sh test
	"$$TOUCHSTONE_PYTHON" browser/tests/benchmark.py "$$(realpath "$$BINARY")"

release: ## build the program for use: optimised, with Swift's libraries inside
ifeq ($(origin BINARY),file)
	@scripts/setup.sh
	$(before-release)
	swift build -c release $(RELEASE) --product touchstone
endif

install: release ## install the program, manual pages and completions below DESTDIR and PREFIX
	@scripts/install.sh "$$BINARY" "$$ROOT"

uninstall: ## remove what `make install` installs
	@scripts/uninstall.sh "$$ROOT"

package: release ## build a Debian package into .build/package
	@scripts/package.sh "$$BINARY" .build/package

dist: release ## make the artifacts of a release in .build/dist: wheels, npm, Debian, container image, sources
	@scripts/setup.sh dist
	@"$$TOUCHSTONE_PYTHON" scripts/dist.py "$$BINARY" .build/dist
