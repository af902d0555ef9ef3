# Signalbox. "make" lists the targets.
#
# Needed: Go, Node 20 or later, git. What else a target needs it installs: Go
# tools and VS Code below .cache (one folder per version), packages of npm in
# node_modules, packages of Debian with apt-get if run as root.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS   += --no-builtin-rules --no-print-directory

# Tools of the checks. A change of version makes a new folder in the cache.
GOLANGCI_VERSION  := v2.15.0
WAZERO_VERSION    := $(shell sed -n 's|^.*tetratelabs/wazero \(v[^ ]*\).*|\1|p' go.mod)
GOVULNCHECK_VERSION := v1.8.0
BENCHSTAT_VERSION := v0.0.0-20260908200009-22c9c6c9d4da

# Absolute, since the tools run in other folders too.
export SIGNALBOX_CACHE ?= $(CURDIR)/.cache
TOOLS    := $(SIGNALBOX_CACHE)/tools
GOLANGCI := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)/golangci-lint
WAZERO   := $(TOOLS)/wazero-$(WAZERO_VERSION)/wazero
GOVULNCHECK := $(TOOLS)/govulncheck-$(GOVULNCHECK_VERSION)/govulncheck

# The toolchain is the installed one, and flags of the user's own stay out of
# what is built: the same source gives the same bytes.
export GOFLAGS :=
export GOTOOLCHAIN ?= local

# A release sets VERSION; other builds carry the version in the source.
VERSION ?=
LDFLAGS := -s -w$(if $(VERSION), -X main.version=$(VERSION))
GOBUILD := CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)'
EXE     := $(shell go env GOEXE)
BIN     := bin/signalbox$(EXE)
WASM    := bin/signalbox.wasm

# The host on wasmtime needs cgo and is a Go module of its own.
WASMTIME := wasm/wasmtime

# What tells licences apart is a module, too, since nothing of the product needs it.
LICENCES := .ci/licences

PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
CROSS     := $(foreach p,$(PLATFORMS),bin/signalbox-$(subst /,-,$(p))$(if $(filter windows/%,$(p)),.exe))

# The stages of "make test", in order. A stage is a target; all of them run,
# also after one failed, but not after the first: it installs what they need.
STAGES := deps build check cross test-go test-go-nocgo test-wasm test-extension reproduce licences test-e2e test-nvim test-emacs test-editors test-sync test-docs clean-tree

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

## Building

.PHONY: build
build: ## bin/signalbox for this machine
	@$(GOBUILD) -o $(BIN) ./cmd/signalbox

.PHONY: wasm
wasm: ## bin/signalbox.wasm, the protocol core as a module, with its sha256 and manifest; prints hash and sizes
	@GOOS=wasip1 GOARCH=wasm CGO_ENABLED=0 \
		go build -buildmode=c-shared -trimpath -buildvcs=false -ldflags='-s -w' -o $(WASM) ./wasm/guest
	@go run ./wasm/manifest -budget 2000000 $(WASM)

.PHONY: wasm-js
wasm-js: npm wasm ## the module and the JavaScript package that loads it, in wasm/js/dist
	@npm run --silent build --workspace @signalbox/core

.PHONY: cross
cross: $(CROSS) ## binaries of the extension for linux, darwin and windows on amd64 and arm64; tests compile for all three
	@for os in darwin windows; do \
		echo "GOOS=$$os go vet ./..."; \
		GOOS=$$os GOARCH=amd64 CGO_ENABLED=0 go vet ./...; \
	done

# go build knows itself what is up to date. These go into the VSIXes, whose size
# counts, and have no WASM engine: that is for embedding and for the tests.
.PHONY: $(CROSS)
$(CROSS): bin/signalbox-%:
	@echo "$@"
	@os=$(firstword $(subst -, ,$*)) arch=$(basename $(word 2,$(subst -, ,$*))); \
		GOOS=$$os GOARCH=$$arch $(GOBUILD) -tags noengine -o $@ ./cmd/signalbox

HOST := $(shell go env GOOS)/$(shell go env GOARCH)
# What the extension for this machine runs.
SHIPPED := $(filter bin/signalbox-$(subst /,-,$(HOST))%,$(CROSS))

.PHONY: vsix
vsix: npm $(SHIPPED) ## the extension for this machine, in dist/
	@.ci/vsix $(HOST)

.PHONY: package
package: npm wasm $(CROSS) ## the extension as VSIXes: each platform, universal, web; checksums; in dist/
	@.ci/package $(PLATFORMS)

.PHONY: reproduce
reproduce: build package ## build it all again in another folder: the same bytes; FRESH=1 also without a build cache
	@FRESH="$(FRESH)" .ci/reproduce

.PHONY: sbom
sbom: npm ## what ships, as CycloneDX, in dist/
	@mkdir -p dist
	@node .ci/supply.mjs sbom dist/signalbox.cdx.json

## Checking

.PHONY: licences
licences: npm ## all dependencies with their licences; fails if what ships has one that is not permissive
	@node .ci/supply.mjs licences

.PHONY: vuln
vuln: $(GOVULNCHECK) ## known vulnerabilities in what the program calls; fails if the database cannot be reached
	@.ci/vuln $(GOVULNCHECK)

.PHONY: check
check: tidy-check fmt-check vet lint lint-rules hygiene lint-extension ## formatting, vet, linters, import rules, types, hygiene
ifeq ($(CI),true)
	@.ci/clean-tree
endif

.PHONY: tidy-check
tidy-check:
	@echo "go mod tidy -diff"; go mod tidy -diff; go -C $(WASMTIME) mod tidy -diff; go -C $(LICENCES) mod tidy -diff
	@echo "go mod verify"; go mod verify >/dev/null

.PHONY: fmt-check
fmt-check: $(GOLANGCI)
	@echo "gofumpt"; $(GOLANGCI) fmt --diff

.PHONY: vet
vet:
	@echo "go vet"; go vet ./...; go -C $(WASMTIME) vet ./...; go -C $(LICENCES) vet ./...

.PHONY: lint
lint: $(GOLANGCI)
	@echo "golangci-lint"; $(GOLANGCI) run --allow-parallel-runners ./...
	@cd $(WASMTIME); $(GOLANGCI) run --allow-parallel-runners ./...
	@echo "golangci-lint, as the module is built"; \
		GOOS=wasip1 GOARCH=wasm CGO_ENABLED=0 $(GOLANGCI) run --allow-parallel-runners ./core/... ./wasm/abi/... ./wasm/guest/...

.PHONY: lint-rules
lint-rules: $(GOLANGCI)
	@.ci/import-rules $(GOLANGCI)

.PHONY: lint-extension
lint-extension: npm
	@echo "tsc and eslint"; npm run --silent lint
	@echo "prettier"; npm run --silent format:check

.PHONY: hygiene
hygiene:
	@echo "hygiene"; .ci/hygiene

.PHONY: fmt
fmt: $(GOLANGCI) npm ## format Go and TypeScript
	@$(GOLANGCI) fmt
	@npm run --silent format

.PHONY: clean-tree
clean-tree:
ifeq ($(CI),true)
	@.ci/clean-tree
else
	@echo "not in CI: the tree may hold work in progress"
endif

## Testing

.PHONY: test
test: ## everything CI runs; installs what it needs
	@.ci/stages $(STAGES)

# What of the hosts' tests has several goroutines. The others are for the module, of
# which the race detector sees nothing.
SHARED := ^(TestSuite|TestClock|TestClockSteps)$$/^(Waiting|Goroutines|Trap|TrapInsideOp|LargeInstanceIsReplaced)$$

# Where there are goroutines: the core has none, and the program's tests run it
# hundreds of times, which the race detector makes three times as long.
.PHONY: test-go
test-go: ## Go tests with the race detector, where there is a C compiler, of all that has goroutines
	@.ci/race go test -timeout 10m ./lsp/... ./cmd/signalbox/engine
	@.ci/race go test -timeout 10m -run '$(SHARED)' ./wasm/host
	@.ci/fuzz seeds
	@.ci/fuzz slice 2 20s

# Two tests of the stores start so many processes that they do less under the detector.
.PHONY: test-go-nocgo
test-go-nocgo: ## Go tests of the core, the program and the module without cgo, as they are built
	@CGO_ENABLED=0 go test -timeout 10m ./core/... ./cmd/... ./wasm/...
	@CGO_ENABLED=0 go test -timeout 10m -run '^(TestTwoWatchdogs|TestManyProcesses)$$' ./lsp/store/ssot ./lsp/store/threads

.PHONY: test-wasm
test-wasm: wasm $(WAZERO) test-wasmtime ## the module: size, the core's own tests inside wazero, all hosts' tests
	@echo "tests of the core packages in the module, on wasip1"
	@PATH="$(dir $(WAZERO)):$$PATH" GOOS=wasip1 GOARCH=wasm CGO_ENABLED=0 GOWASIRUNTIME=wazero \
		go test -timeout 10m -exec "$$(go env GOROOT)/lib/wasm/go_wasip1_wasm_exec" \
		$$(GOOS=wasip1 GOARCH=wasm go list -deps ./wasm/guest | grep "^$$(go list -m)/core/")
	@CGO_ENABLED=0 go test -timeout 10m ./wasm/...
	@$(MAKE) test-wasm-js

# Every vector and fixture, and so many random calls of each format.
WASM_RANDOM ?= 20000

.PHONY: test-wasm-js
test-wasm-js: npm wasm ## the JavaScript package and its examples: the native bytes in Node and in Chromium
	@.ci/apt chromium=chromium
	@npm test --silent --workspace @signalbox/core -- --random=$(WASM_RANDOM)

.PHONY: test-wasmtime
test-wasmtime: ## the host on wasmtime, also with the race detector, and the examples on it
	@.ci/apt gcc=gcc
	@CGO_ENABLED=1 go -C $(WASMTIME) test -timeout 15m ./...
	@CGO_ENABLED=1 go -C $(WASMTIME) test -race -timeout 15m -run '$(SHARED)' .

.PHONY: test-extension
test-extension: npm wasm ## unit tests of the extension, those for browsers on the module
	@npm test --silent --workspace extension

.PHONY: test-e2e
test-e2e: npm build wasm ## the extension in a real VS Code, the newest
	@.ci/apt chromium=chromium $(if $(filter oldest,$(E2E_HOST)),rg=ripgrep)
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" SIGNALBOX_E2E_HOST="$(or $(E2E_HOST),newest)" npm run --silent e2e

.PHONY: test-e2e-oldest
test-e2e-oldest: ## the same in the oldest VS Code that is supported
	@$(MAKE) test-e2e E2E_HOST=oldest

.PHONY: test-nvim
test-nvim: build ## the server in headless Neovim
	@.ci/apt nvim=neovim
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" .ci/named-test ./cmd/signalbox TestNeovim editors

.PHONY: test-emacs
test-emacs: build emacs ## the server in a batch Emacs with Eglot
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" .ci/named-test ./cmd/signalbox TestEmacs editors

.PHONY: test-editors
test-editors: build ## what the pages for Helix and Zed say, without these editors
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" .ci/named-test ./cmd/signalbox TestEditor editors

.PHONY: test-sync
test-sync: ## two Syncthing instances on loopback carry a directory that both sides write to
	@.ci/apt syncthing=syncthing
	@.ci/named-test ./cmd/signalbox TestSyncthing syncthing

.PHONY: test-docs
test-docs: build ## commands, flags, targets and links of the documentation exist
	@node --test --test-reporter=dot .ci/conformance.test.mjs
	@node .ci/docs.mjs "$(CURDIR)/$(BIN)"

.PHONY: soak-sync
soak-sync: ## test-sync for SYNC_ROUNDS rounds of random work (default 40); SYNC_SEED repeats one
	@.ci/apt syncthing=syncthing
	@SIGNALBOX_SYNC_ROUNDS="$(or $(SYNC_ROUNDS),40)" SIGNALBOX_SYNC_SEED="$(SYNC_SEED)" \
		go test -count=1 -v -timeout 2h -tags syncthing -run '^TestSoakSync$$' ./cmd/signalbox

.PHONY: fuzz
fuzz: ## fuzz every target for FUZZTIME (default 20s)
	@.ci/fuzz run "$(or $(FUZZTIME),20s)"

# How long each harness runs; the short forms are part of test-go.
SOAK ?= 60s

.PHONY: soak
soak: ## crashes, full disks, races and storms of requests for SOAK (default 60s) each, with the race detector; then soak-sync
	@SIGNALBOX_SOAK="$(SOAK)" .ci/race go test -p 1 -count=1 -timeout 0 -v \
		-run '^(TestCrash|TestManyAtOnce|TestCrowd|TestHalfClosed)$$' \
		./lsp/store ./lsp/store/mailbox ./lsp/store/ssot ./lsp/store/threads ./lsp/store/shelf ./lsp/server
	@$(MAKE) soak-sync

## Measuring and showing

# Whole processes on the generated store first, then the benchmarks of packages,
# which find the store by SIGNALBOX_BENCH_STORE. BENCH picks among these; COUNT
# repeats them, for benchstat. A new generator makes a new folder: raise the 1.
BENCH_STORE := $(SIGNALBOX_CACHE)/bench-store-1

.PHONY: bench
bench: build ## benchmarks; writes a generated store of a million records below .cache
	@mkdir -p "$(SIGNALBOX_CACHE)"
	@node .ci/bench.mjs "$(CURDIR)/$(BIN)" "$(BENCH_STORE)"
	@SIGNALBOX_BENCH_STORE="$(BENCH_STORE)" go test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem \
		-count $(or $(COUNT),1) -timeout 60m ./core/... ./lsp/...
	@go -C $(WASMTIME) test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem -count $(or $(COUNT),1) -timeout 60m .

.PHONY: bench-large
bench-large: build ## inbox all on RECORDS (default 10,000,000) records against a million; takes 3 GB, removed again
	@mkdir -p "$(SIGNALBOX_CACHE)"
	@node .ci/bench.mjs "$(CURDIR)/$(BIN)" "$(BENCH_STORE)" large $(or $(RECORDS),10000000)

.PHONY: bench-editor
bench-editor: $(SHIPPED) ## what an editor waits for: starts, pages, hovers and memory, with 100, 100,000 and 1,000,000 messages
	@mkdir -p "$(SIGNALBOX_CACHE)"
	@node .ci/bench.mjs "$(CURDIR)/$(SHIPPED)" "$(BENCH_STORE)" editor
	@SIGNALBOX_BENCH_STORE="$(BENCH_STORE)" go test -run '^$$' -bench BenchmarkEditor -benchtime 3000x ./lsp/panel

.PHONY: benchstat
benchstat: ## compare two outputs of bench: make benchstat OLD=a NEW=b
	@go run golang.org/x/perf/cmd/benchstat@$(BENCHSTAT_VERSION) $(OLD) $(NEW)

.PHONY: demo
demo: npm build ## a sample store in the terminal, then the extension in a real VS Code
	@$(BIN) demo
	@if .ci/apt chromium=chromium; then \
		SIGNALBOX_BIN="$(CURDIR)/$(BIN)" npm run --silent demo --workspace extension; \
	else \
		echo "without Chromium there are no screenshots of the extension"; \
	fi

.PHONY: pictures
pictures: npm build wasm ## the pictures of the documentation, docs/images, made in a real VS Code
	@.ci/apt chromium=chromium convert=imagemagick
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" npm run --silent pictures --workspace extension

## Setting up

.PHONY: deps
deps: npm emacs $(GOLANGCI) $(WAZERO) ## install what the tests need
	@.ci/apt chromium=chromium nvim=neovim openssl=openssl gcc=gcc syncthing=syncthing
	@go mod download
	@go -C $(WASMTIME) mod download
	@go -C $(LICENCES) mod download

# Eglot comes with Emacs from 29 on and is a package before.
.PHONY: emacs
emacs:
	@.ci/apt emacs=emacs-nox
	@emacs -q --batch --eval "(require 'eglot)" 2>/dev/null || .ci/apt eglot=elpa-eglot

.PHONY: npm
npm:
	@.ci/npm

# Built aside and moved, so that an interrupted build leaves no half tool.
$(GOLANGCI):
	@echo "building golangci-lint $(GOLANGCI_VERSION) (once, some minutes) ..."
	@.ci/tool $(dir $@) github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

$(GOVULNCHECK):
	@.ci/tool $(dir $@) golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)

$(WAZERO):
	@echo "building wazero $(WAZERO_VERSION) (once) ..."
	@.ci/tool $(dir $@) github.com/tetratelabs/wazero/cmd/wazero@$(WAZERO_VERSION)

.PHONY: clean
clean: ## remove what was built, keep the caches
	@rm -rf bin dist extension/dist extension/dist-test extension/bin wasm/js/dist wasm/js/dist-test

.PHONY: distclean
distclean: clean ## remove the caches too
	@rm -rf .cache node_modules extension/node_modules wasm/js/node_modules
