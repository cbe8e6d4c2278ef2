# The everyday commands; `make` alone lists them.

export TOUCHSTONE_PYTHON ?= $(CURDIR)/.build/python/bin/python

SOURCES := Package.swift Plugins Sources Tests

# Test targets that run on their own, in this order.
ALONE := FuzzTests|DeviceStoreTests|ScenariosTests|MutationTests|HarnessTests|TransportsTests|InteropTests|ControlAPITests|CrashTests|ClientsTests|HostileInputTests|ReaderTests|KernelTests

# Swift's libraries inside the program: loading them takes a third of a start. The default linker cannot do it.
ifeq ($(shell uname),Linux)
RELEASE := --static-swift-stdlib -Xswiftc -use-ld=lld
endif

.DEFAULT_GOAL := help
.PHONY: help setup build demo test fuzz soak lint format docs bench

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## install missing dependencies
	@scripts/setup.sh

build: setup ## build everything, debug
	swift build

demo: setup ## build and run the tour
	swift build --product touchstone
	.build/debug/touchstone demo

test: lint ## lint, build and run every test
	@scripts/setup.sh test
	@scripts/kernel.sh
	swift build --build-tests
	scripts/run-tests.sh --skip '^($(ALONE))\.'
	@# Suites that wait for real programs and real time run last and alone: suites that fill every core disturb them.
	@for suite in $(subst |, ,$(ALONE)); do echo "== $$suite"; \
	    scripts/run-tests.sh --filter "^$$suite\." || exit 1; done

fuzz: setup ## two million inputs to every command of the authenticator
	swift build --build-tests
	TOUCHSTONE_FUZZ_INPUTS=2000000 scripts/run-tests.sh --filter '^FuzzTests\.CommandFuzzTests'

soak: setup ## strain the release build for three hours, or three times SOAK_SECONDS
	scripts/soak.sh

lint: setup ## check format, documentation and the house rules
	swift format lint --strict --recursive --parallel $(SOURCES)
	scripts/check-house.py

format: ## rewrite the sources in the project's format
	swift format --in-place --recursive --parallel $(SOURCES)

docs: setup ## build the libraries' documentation; warnings are errors
	scripts/docs.sh

bench: setup ## measure the release build
	swift build -c release $(RELEASE) --product touchstone
	.build/release/touchstone bench
