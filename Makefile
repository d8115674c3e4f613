# Two commands do everything on a machine with Python >= 3.11, a C++ compiler and make:
#   make demo    set up .venv, run Assay's main job on a bundled data set
#   make test    the same set-up plus the test tools, then linters, types, import contract and all tests
# The rest is for developers: make help.

BIN = .venv/bin
SETUP = @PYTHON="$(PYTHON)" sh scripts/setup.sh
CXX_FILES = core/*/*.cpp core/*/*.hpp
PYTEST_ARGS = -n 2

# The second goal of `make bench-against REV` is the revision.
ifeq (bench-against,$(firstword $(MAKECMDGOALS)))
REV ?= $(word 2,$(MAKECMDGOALS))
$(eval $(word 2,$(MAKECMDGOALS)):;@:)
endif

.PHONY: help demo test bench bench-against fuzz pictures format stub constraints clean
.NOTPARALLEL:

help:
	@echo "make demo         set up .venv and run the demonstration"
	@echo "make test         set up .venv, run linters, types, import contract and all tests"
	@echo "make bench        set up .venv-bench and print the benchmark table"
	@echo "make bench-against REV  this version against another revision, our side of every benchmark"
	@echo "make fuzz         call every kernel 10 000 times with arguments that do not fit (SEED=1 for others)"
	@echo "make pictures     set up .venv-docs, draw the pictures and print the transcripts of the documentation"
	@echo "make format       rewrite Python and C++ sources in the house format"
	@echo "make stub         build the core and keep the types that it shows in src/assay/_core"
	@echo "make constraints  recompile constraints.txt (UPGRADE=--upgrade takes the newest versions)"
	@echo "make clean        remove the environments and everything built"

demo:
	$(SETUP) demo
	@$(BIN)/assay demo

test:
	$(SETUP) test
	@echo "[1/6] ruff check" && $(BIN)/ruff check --quiet .
	@echo "[2/6] ruff format --check" && $(BIN)/ruff format --quiet --check . || \
		{ echo "Run \`make format\` and look at what it changed."; exit 1; }
	@echo "[3/6] clang-format --dry-run" && $(BIN)/clang-format --dry-run -Werror $(CXX_FILES)
	@echo "[4/6] mypy --strict" && $(BIN)/python -m mypy --no-error-summary
	@echo "[5/6] import contract" && $(BIN)/lint-imports --no-logo
	@echo "[6/6] pytest" && $(BIN)/python -m pytest $(PYTEST_ARGS)

bench:
	$(SETUP) bench
	@.venv-bench/bin/python -m benchmarks

bench-against:
	$(SETUP) bench
	@.venv-bench/bin/python -m benchmarks.against $(REV) $(BENCH)

fuzz:
	$(SETUP) test
	@ASSAY_FUZZ_CASES=10000 ASSAY_FUZZ_SEED=$(or $(SEED),0) $(BIN)/python -m pytest $(PYTEST_ARGS) tests/fuzz/test_kernels.py

pictures:
	$(SETUP) pictures
	@.venv-docs/bin/python -m docs.pictures
	@.venv-docs/bin/python -m docs.pictures.report

format:
	$(SETUP) test
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(CXX_FILES)

stub:
	$(SETUP) test
	@$(BIN)/python scripts/stub.py

constraints:
	$(SETUP) constraints
	build/uv/bin/uv pip compile --quiet --universal --python-version 3.11 --all-extras --no-emit-index-url \
		--custom-compile-command "make constraints" $(UPGRADE) --output-file constraints.txt \
		pyproject.toml requirements/build.in requirements/bench.in requirements/tools.in

clean:
	rm -rf .venv .venv-bench .venv-docs build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
