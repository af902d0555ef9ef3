# Signalbox. "make" lists the targets.
#
# Needed: Go, Node 20 or later, git. A target installs what else it needs: Go tools
# and VS Code below .cache (one folder per version), npm packages in node_modules,
# Debian packages with apt-get if run as root.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS   += --no-builtin-rules --no-print-directory

# Tools of the checks. A change of version makes a new folder in the cache.
GOLANGCI_VERSION    := v2.15.0
WAZERO_VERSION      := $(shell sed -n 's|^.*tetratelabs/wazero \(v[^ ]*\).*|\1|p' go.mod)
GOVULNCHECK_VERSION := v1.8.0
LICENSES_VERSION    := v1.6.0
ACTIONLINT_VERSION  := v1.7.12
NFPM_VERSION        := v2.45.2
OVSX_VERSION        := 1.4.0
# The registry of MCP: its publisher, and the schema of server.json.
REGISTRY_VERSION    := v1.8.9
BENCHSTAT_VERSION   := v0.0.0-20260908200009-22c9c6c9d4da

# Absolute, since the tools run in other folders too. make cannot have a blank in the
# name of a file that it makes, so by default it calls them by the shorter name.
CACHE       := $(subst $(CURDIR)/.cache,.cache,$(or $(SIGNALBOX_CACHE),.cache))
export SIGNALBOX_CACHE := $(or $(SIGNALBOX_CACHE),$(CURDIR)/.cache)
TOOLS       := $(CACHE)/tools
GOLANGCI    := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)/golangci-lint
WAZERO      := $(TOOLS)/wazero-$(WAZERO_VERSION)/wazero
GOVULNCHECK := $(TOOLS)/govulncheck-$(GOVULNCHECK_VERSION)/govulncheck
LICENSES    := $(TOOLS)/go-licenses-$(LICENSES_VERSION)/go-licenses
ACTIONLINT  := $(TOOLS)/actionlint-$(ACTIONLINT_VERSION)/actionlint
NFPM        := $(TOOLS)/nfpm-$(NFPM_VERSION)/nfpm
# The agents' programs, at the versions of their lock.
AGENTS      := $(CACHE)/agents-$(shell git hash-object testdata/agents/package-lock.json | cut -c1-12)

# The toolchain is the installed one and the user's own flags stay out of what is
# built, so that the same source makes the same bytes. All targets compile in one way,
# and so each package once; what needs cgo asks for it. golangci-lint has vet in it, and
# nobody debugs these tests.
export GOFLAGS     := -trimpath -vet=off -ldflags=-w
export CGO_ENABLED := 0
export GOTOOLCHAIN ?= local

# A release sets VERSION; other builds carry the version in the source. The commit comes
# from git, or from .ci/commit in an archive that git made.
VERSION ?=
SOURCE_VERSION = $(shell node -p 'require("./extension/package.json").version')
COMMIT  ?= $(shell .ci/commit)
LDFLAGS  = -s -w -X main.commit=$(COMMIT)$(if $(VERSION), -X main.version=$(VERSION))
GOBUILD  = go build -buildvcs=false -ldflags '$(LDFLAGS)'
BIN     := bin/signalbox$(shell go env GOEXE)
WASM    := bin/signalbox.wasm

# The host on wasmtime needs cgo and is a Go module of its own.
WASMTIME := wasm/wasmtime

PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
BINARIES  := $(foreach p,$(PLATFORMS),signalbox-$(subst /,-,$(p))$(if $(filter windows/%,$(p)),.exe))
CROSS     := $(addprefix bin/,$(BINARIES))
FULL      := $(addprefix bin/release/,$(BINARIES))

# What "make test" runs: Go's tests, and beside them what Node runs.
TESTS := test-go -- test-extension test-module test-docs test-story

# What "make test-all" runs after it, in order: first what compiles everything and writes
# generated files, then what computes, and beside it what waits for editors and other
# programs. The agents' programs have the machine to themselves: they are slow to start, and
# the tests follow what they do from moment to moment. reproduce makes what ships, and fails
# for a licence that is not permissive.
COMPUTED := test-race test-fuzz test-wasm reproduce test-packages
WAITED   := test-browser test-e2e test-editors test-sync test-shells

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

## Building

.PHONY: build
build: ## bin/signalbox for this machine
	@$(GOBUILD) -o $(BIN).new ./cmd/signalbox && mv -f $(BIN).new $(BIN)

.PHONY: wasm
wasm: ## bin/signalbox.wasm, the protocol core as a module, with its sha256; fails if it is over 2 MB gzipped
	@GOOS=wasip1 GOARCH=wasm \
		go build -buildmode=c-shared -buildvcs=false -ldflags='-s -w' -o $(WASM).new ./wasm/guest && mv -f $(WASM).new $(WASM)
	@cd $(dir $(WASM)); file=$(notdir $(WASM)); { sha256sum $$file 2>/dev/null || shasum -a 256 $$file; } | tee $$file.sha256; \
		size=$$(gzip -9cn $$file | wc -c); echo "$$size bytes gzipped, of at most 2000000"; (( size <= 2000000 ))

# The language server for browsers. Without inlining it is smaller by an eighth, and as fast
# where it waits for files. SortStableFunc has less than half the code of SortFunc for each
# type, so short lists are sorted with it.
BROWSER := bin/signalbox-browser.wasm.gz
.PHONY: browser
browser: ## bin/signalbox-browser.wasm.gz, the language server for browsers; fails if it is over 4.2 MB
	@GOOS=js GOARCH=wasm \
		go build -trimpath -buildvcs=false -gcflags=all=-l -ldflags='-s -w' -o $(BROWSER:.gz=) ./cmd/signalbox-browser
	@gzip -9cn $(BROWSER:.gz=) >$(BROWSER).new && mv -f $(BROWSER).new $(BROWSER) && rm $(BROWSER:.gz=)
	@cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" bin/wasm_exec.js && chmod 644 bin/wasm_exec.js
	@size=$$(wc -c <$(BROWSER)); echo "$(BROWSER) has $$size bytes, of at most 4200000"; (( size <= 4200000 ))

# The JavaScript package that loads the module, in wasm/js/dist.
.PHONY: wasm-js
wasm-js: npm wasm
	@npm run --silent build --workspace @signalbox/core

.PHONY: cross
cross: $(CROSS) vet ## binaries of the extension for linux, darwin and windows on amd64 and arm64

# golangci-lint has vet for this system.
.PHONY: vet
vet:
	@for os in darwin windows; do \
		echo "GOOS=$$os go vet ./..."; \
		GOOS=$$os GOARCH=amd64 go vet ./...; \
	done
	@echo "GOOS=js go vet"; GOOS=js GOARCH=wasm go vet ./core/... ./lsp/... ./cmd/signalbox-browser

# What goes into the VSIXes, whose size counts, is built without wazero.
$(CROSS): TAGS := -tags nowasm
.PHONY: $(CROSS) $(FULL)
$(CROSS) $(FULL):
	@echo "$@"
	@os=$(word 2,$(subst -, ,$@)) arch=$(basename $(word 3,$(subst -, ,$@))); \
		GOOS=$$os GOARCH=$$arch $(GOBUILD) $(TAGS) -o $@ ./cmd/signalbox

# The time of pages and packages is the commit's, so that the same source makes the same bytes.
DATE := $(or $(SOURCE_DATE_EPOCH),$(shell .ci/commit time))

.PHONY: man
man: build ## a manual page for each command, in dist/man
	@rm -rf dist/man; SOURCE_DATE_EPOCH="$(DATE)" $(BIN) man dist/man

.PHONY: completions
completions: build ## what completes the commands in bash, zsh, fish and PowerShell, in dist/completions
	@rm -rf dist/completions; mkdir -p dist/completions; cd dist/completions; \
		for as in bash:signalbox.bash zsh:_signalbox fish:signalbox.fish powershell:signalbox.ps1; do \
			"$(CURDIR)/$(BIN)" completion "$${as%%:*}" > "$${as#*:}"; \
		done

PREFIX ?= /usr/local

.PHONY: install
install: man completions ## the program, its manual and completions below PREFIX (default /usr/local); DESTDIR is put before it
	@to="$(DESTDIR)$(PREFIX)"; \
		put() { mkdir -p "$$to/$$3"; install -m "$$1" "$${@:4}" "$$to/$$3/$$2"; }; \
		put 755 '' bin $(BIN); \
		put 644 '' share/man/man1 dist/man/*.1; \
		put 644 signalbox share/bash-completion/completions dist/completions/signalbox.bash; \
		put 644 '' share/zsh/site-functions dist/completions/_signalbox; \
		put 644 '' share/fish/vendor_completions.d dist/completions/signalbox.fish; \
		echo "signalbox is in $$to/bin"

HOST := $(shell go env GOOS)/$(shell go env GOARCH)
# What the extension for this machine runs.
SHIPPED := $(filter bin/signalbox-$(subst /,-,$(HOST))%,$(CROSS))

.PHONY: vsix
vsix: npm $(SHIPPED) ## the extension for this machine, in dist/
	@VERSION="$(VERSION)" .ci/package vsix $(HOST)

.PHONY: package
package: npm browser $(CROSS) $(LICENSES) ## the extension for each platform, universal and for browsers; bill of materials; checksums; in dist/
	@VERSION="$(VERSION)" .ci/package all $(LICENSES) $(PLATFORMS)

.PHONY: release
release: release-version package man completions $(FULL) $(NFPM) ## everything a release has, in dist/release, as VERSION=1.2.3: archives, deb, rpm, apk, npm, Homebrew, Scoop, winget, plugins, VSIXes
	@SOURCE_DATE_EPOCH="$(DATE)" node .ci/release/make.mjs "$(or $(VERSION),$(SOURCE_VERSION))" $(NFPM) $(PLATFORMS)

# Refuses a wrong version before anything is built.
.PHONY: release-version
release-version:
	@node .ci/release/make.mjs "$(or $(VERSION),$(SOURCE_VERSION))"

.PHONY: reproduce
reproduce: npm $(LICENSES) $(NFPM) ## the release, built in two other folders: the same bytes, which go to dist/release; FRESH=1 once without a build cache
	@FRESH="$(FRESH)" COMMIT="$(COMMIT)" SOURCE_DATE_EPOCH="$(DATE)" .ci/package twice

# A dry run needs nothing but this file.
.PHONY: publish
publish: ## print the commands that publish dist/release as VERSION; REALLY=1 runs them: GitHub, npm, the marketplaces, the registry of MCP
	@.ci/release/publish "$(or $(VERSION),$(SOURCE_VERSION))" $(if $(REALLY),really,dry) $(OVSX_VERSION) $(REGISTRY_VERSION) $(PLATFORMS)

## Checking

.PHONY: licences
licences: $(LICENSES) ## what ships, with licences; fails if one is not permissive
	@node .ci/supply.mjs $(LICENSES)

.PHONY: vuln
vuln: $(GOVULNCHECK) ## known vulnerabilities that the program can reach; fails if the database cannot be reached (VULN_DB=file://… names a copy)
	@$(GOVULNCHECK) $(if $(VULN_DB),-db $(VULN_DB)) ./...
	@CGO_ENABLED=1 $(GOVULNCHECK) -C $(WASMTIME) $(if $(VULN_DB),-db $(VULN_DB)) ./...

.PHONY: check
check: tidy generate lint vet ## generated files, formatting, linters, import rules, types, hygiene; tests compile for darwin and windows
	@.ci/hygiene $(if $(CI),clean)

.PHONY: tidy
tidy:
	@echo "go mod tidy, verify"; go mod tidy -diff; go -C $(WASMTIME) mod tidy -diff; go mod verify >/dev/null

.PHONY: lint
lint: $(GOLANGCI) $(ACTIONLINT) npm
	@echo "gofumpt"; $(GOLANGCI) fmt --diff
	@echo "golangci-lint"; $(GOLANGCI) run --allow-parallel-runners ./... ./.ci/bench
	@tool="$$(realpath "$(GOLANGCI)")"; cd $(WASMTIME); CGO_ENABLED=1 "$$tool" run --allow-parallel-runners ./...
	@echo "golangci-lint, what the module has of its own"; \
		GOOS=wasip1 GOARCH=wasm $(GOLANGCI) run --allow-parallel-runners ./core/canon ./core/digest ./wasm/guest/...
	@echo "golangci-lint, what the server for browsers has of its own"; \
		GOOS=js GOARCH=wasm $(GOLANGCI) run --allow-parallel-runners ./cmd/signalbox-browser ./lsp/disk/... ./lsp/hooks ./lsp/server ./lsp/amp ./lsp/session
	@echo "tsc and eslint"; npm run --silent lint
	@echo "prettier"; npm run --silent format:check
	@echo "actionlint"; $(ACTIONLINT) -shellcheck= -pyflakes=

.PHONY: generate
generate: npm ## write what is generated: types, tables, docs/conformance.md
	@echo "generate"; go generate ./...
	@node .ci/conformance.mjs

.PHONY: fmt
fmt: $(GOLANGCI) npm ## format Go and TypeScript
	@$(GOLANGCI) fmt
	@npm run --silent format

.PHONY: clean-tree
clean-tree:
	@.ci/hygiene $(if $(CI),clean)

## Testing

.PHONY: test
test: ## does this checkout work on this machine? Installs what it needs, leaves out what it cannot have, and says so
	@ADDS='make test-all adds the race detector, fuzzing, linters, the module in other hosts, the release built twice, all of VS Code, Neovim, Emacs, Syncthing, shells and five real agents' \
		.ci/stages test $(TESTS)

.PHONY: test-all
test-all: ## everything there is, as CI runs it; installs what it needs
	@.ci/run

# What test-all has beyond test.
.PHONY: test-rest
test-rest: deps
	@CI=true .ci/stages test-rest prepare check test-agents then $(COMPUTED) -- $(WAITED) then clean-tree

.PHONY: test-go
test-go: ## all Go tests, without the race detector
	@.ci/fuzz seeds
	@go test -timeout 10m ./...

# The race detector runs where goroutines meet: in the short form of all tests below lsp,
# and in those of the long ones that are about several writers, readers or calls at once.
# The core has no goroutines, and the program's tests run it hundreds of times.
RACING := TestManyAtOnce|TestCrowd|TestHalfClosed|TestMeanwhile|TestConcurrent.*|TestAppendReaders|TestCompactHeld|TestWatchdogRun|TestWriterProcesses

# Large: what they do at once, smaller tests do as well.
ALONE := ^(TestScanThreads|TestScanBulk|TestScanPageBytes)$$

# The tests of the hosts that have several goroutines. The others are for the module,
# into which the race detector cannot see.
SHARED := ^(TestSuite|TestClock|TestClockSteps)$$/^(Waiting|Goroutines|Trap|TrapInsideOp|LargeInstanceIsReplaced)$$

.PHONY: test-race
test-race: ## Go tests under the race detector, where goroutines meet
	@.ci/gotest race -short -timeout 25m -skip '$(ALONE)' ./lsp/...
	@.ci/gotest race -timeout 25m -run '^($(RACING))$$' $$(grep -rlE '^func ($(RACING))\(' --include='*_test.go' lsp | xargs -n1 dirname | sort -u | sed 's|^|./|')
	@.ci/gotest race -timeout 25m -run '$(SHARED)' ./wasm/host

.PHONY: test-fuzz
test-fuzz: ## two of the fuzz targets for 20 s, others with each commit
	@.ci/fuzz slice 2 20s

.PHONY: test-wasm
test-wasm: npm wasm $(WAZERO) ## the module in every host; Go's tests have wazero: its own packages' tests, wasmtime, Node, Chromium
	@.ci/install apt gcc=gcc chromium=chromium
	@$(MAKE) -j $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) test-wasm-core test-wasm-wasmtime test-wasm-js

# Three at once: each keeps one processor for most of its time. The packages that take
# longest come first.
.PHONY: test-wasm-core test-wasm-wasmtime test-wasm-js
test-wasm-core:
	@echo "tests of the core packages in the module, on wasip1"
	@PATH="$$(realpath "$(dir $(WAZERO))"):$$PATH" GOOS=wasip1 GOARCH=wasm GOWASIRUNTIME=wazero \
		go test -timeout 10m -exec "$$(go env GOROOT)/lib/wasm/go_wasip1_wasm_exec" \
		./core/render/markup ./core/agn $$(GOOS=wasip1 GOARCH=wasm go list -deps ./wasm/guest | grep "^$$(go list -m)/core/")
test-wasm-wasmtime:
	@CGO_ENABLED=1 go -C $(WASMTIME) test -timeout 15m ./...
	@CGO_ENABLED=1 go -C $(WASMTIME) test -race -timeout 15m -run '$(SHARED)' .
test-wasm-js:
	@npm test --silent --workspace @signalbox/core -- chromium

.PHONY: test-module
test-module: npm wasm ## every vector and fixture, and 2,000 random calls of each format, in Node
	@npm test --silent --workspace @signalbox/core -- --without=chromium

.PHONY: test-extension
test-extension: npm build browser ## unit tests of the extension; the server for browsers answers as the native program does
	@npm test --silent --workspace extension

.PHONY: test-browser
test-browser: npm build browser ## the server for browsers: its locks and notices under Node, its answers in Chromium
	@.ci/install apt chromium=chromium
	@GOOS=js GOARCH=wasm go test -exec "$$(go env GOROOT)/lib/wasm/go_js_wasm_exec" -run Browser ./lsp/disk/filelock ./lsp/disk/follow
	@SIGNALBOX_WORKER=chromium npm test --silent --workspace extension -- parity

.PHONY: test-e2e
test-e2e: npm build browser $(AGENTS) ## the extension in a real VS Code; E2E_HOST=oldest takes the oldest that is supported
	@.ci/install apt chromium=chromium $(if $(filter oldest,$(E2E_HOST)),rg=ripgrep)
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" SIGNALBOX_AGENTS="$$(realpath "$(AGENTS)")" SIGNALBOX_E2E_HOST="$(or $(E2E_HOST),newest)" npm run --silent e2e -- --without=mainjob

# The main job in one editor. The other tests of VS Code are test-e2e's.
.PHONY: test-story
test-story: npm build ## the inbox, a thread, a reply and an escalation in a real VS Code
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" npm run --silent e2e -- mainjob

.PHONY: test-editors
test-editors: build emacs ## the server in Neovim and Emacs, and what the pages for Helix and Zed say
	@.ci/install apt nvim=neovim
	@for prefix in TestNeovim TestEmacs TestEditor; do \
		SIGNALBOX_BIN="$(CURDIR)/$(BIN)" .ci/gotest named ./cmd/signalbox $$prefix editors; \
	done

.PHONY: test-agents
test-agents: build $(AGENTS) ## Claude Code, Codex, Gemini CLI, Copilot CLI and opencode, set up and driven by a scripted model
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" SIGNALBOX_AGENTS="$$(realpath "$(AGENTS)")" .ci/gotest named ./cmd/signalbox/internal/realagents TestAgents agents

.PHONY: test-sync
test-sync: ## two Syncthing instances on loopback carry a directory that both sides write to
	@.ci/install apt syncthing=syncthing
	@.ci/gotest named ./cmd/signalbox TestSyncthing syncthing

.PHONY: test-shells
test-shells: build ## completion in bash, zsh and fish; the manual pages by mandoc
	@.ci/install apt /usr/share/bash-completion/bash_completion=bash-completion zsh=zsh fish=fish mandoc=mandoc
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" .ci/gotest named ./cmd/signalbox TestShell shells

# The stage before it, reproduce, made the release.
.PHONY: test-packages
test-packages: $(AGENTS) $(if $(wildcard dist/release/SHA256SUMS),,release) ## what "make release" made, installed into clean roots and prefixes and run; the shape of what is for other machines; go install
	@.ci/install apt rpm=rpm unzip=unzip
	@COMMIT="$(COMMIT)" .ci/release/test "$(or $(VERSION),$(SOURCE_VERSION))" $(PLATFORMS)
	@SIGNALBOX_AGENTS="$$(realpath "$(AGENTS)")" SIGNALBOX_REGISTRY="$(REGISTRY_VERSION)" .ci/gotest named ./cmd/signalbox TestPackages packages

.PHONY: test-docs
test-docs: build ## commands, flags, targets and links of the documentation exist
	@node .ci/docs.mjs "$(CURDIR)/$(BIN)"

.PHONY: fuzz
fuzz: ## fuzz every target for FUZZTIME (default 20s)
	@.ci/fuzz run "$(or $(FUZZTIME),20s)"

# How long each harness runs; the short forms are part of test-go.
SOAK ?= 60s

.PHONY: soak
soak: npm build wasm browser ## crashes, full disks, races and storms of requests for SOAK (default 60s) each; 20,000 random calls of each format in the module; SYNC_ROUNDS rounds of Syncthing (SYNC_SEED repeats one)
	@SIGNALBOX_SOAK="$(SOAK)" .ci/gotest race -p 1 -count=1 -timeout 0 -v \
		-run '^(TestCrash|TestManyAtOnce|TestCrowd|TestHalfClosed)$$' \
		./lsp/samp ./lsp/amp ./lsp/agn ./lsp/atsf ./lsp/panel/shelf ./lsp/server
	@SIGNALBOX_RANDOM=20000 go test -count=1 -timeout 30m -run '^TestSuite$$/^RandomInput$$' ./wasm/host
	@SIGNALBOX_RANDOM=20000 CGO_ENABLED=1 go -C $(WASMTIME) test -count=1 -timeout 30m -run '^TestSuite$$/^RandomInput$$' .
	@npm test --silent --workspace @signalbox/core -- --random=20000 transcript
	@SIGNALBOX_WRITERS_SECONDS=600 npm test --silent --workspace extension -- places
	@.ci/install apt syncthing=syncthing
	@SIGNALBOX_SYNC_ROUNDS="$(or $(SYNC_ROUNDS),40)" SIGNALBOX_SYNC_SEED="$(SYNC_SEED)" \
		go test -count=1 -v -timeout 2h -tags syncthing -run '^TestSoakSync$$' ./cmd/signalbox

## Measuring and showing

# The table of whole processes in BENCHMARKS.md. SCALE=0.02 tries it in a minute and writes
# nothing; PART names one part.
.PHONY: bench-table
bench-table: build ## BENCHMARKS.md: signalbox beside rg, cat, jq and others; 4.5 GB of samples in the cache; RUNS of each (default 9), SCALE=0.02 or PART=sessions to try it
	@go run ./.ci/bench -bin $(BIN) -cache "$(SIGNALBOX_CACHE)" $(if $(SCALE)$(PART),,-into BENCHMARKS.md) \
		-scale $(or $(SCALE),1) -runs $(or $(RUNS),9) $(if $(PART),-only $(PART))

.PHONY: bench
bench: ## benchmarks of packages, on a million records; BENCH picks among them, COUNT repeats them
	@store="$$(go run ./.ci/bench -cache "$(SIGNALBOX_CACHE)" -store)"; \
		SIGNALBOX_BENCH_STORE="$$store" go test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem -count $(or $(COUNT),1) -timeout 60m ./core/... ./lsp/...
	@CGO_ENABLED=1 go -C $(WASMTIME) test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem -count $(or $(COUNT),1) -timeout 60m .

.PHONY: bench-browser
bench-browser: npm build browser ## the figures of BENCHMARKS.md about the server for browsers, in Node and in a browser's extension host
	@npm run --silent measure:browser --workspace extension
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" node extension/e2e/webFigures.mjs

.PHONY: benchstat
benchstat: ## compare two outputs of bench: make benchstat OLD=a NEW=b
	@go run golang.org/x/perf/cmd/benchstat@$(BENCHSTAT_VERSION) $(OLD) $(NEW)

.PHONY: demo
demo: npm build ## a sample store in the terminal, then the extension in a real VS Code
	@$(BIN) demo
	@if .ci/install apt chromium=chromium; then \
		SIGNALBOX_BIN="$(CURDIR)/$(BIN)" npm run --silent demo --workspace extension; \
	else \
		echo "without Chromium there are no screenshots of the extension"; \
	fi

.PHONY: pictures
pictures: npm build wasm ## the pictures of the documentation, docs/images, made in a real VS Code and a terminal
	@.ci/install apt chromium=chromium convert=imagemagick tmux=tmux
	@SIGNALBOX_BIN="$(CURDIR)/$(BIN)" npm run --silent pictures --workspace extension

## Setting up

.PHONY: deps
deps: npm emacs $(GOLANGCI) $(ACTIONLINT) $(WAZERO) $(LICENSES) $(NFPM) $(AGENTS)
	@.ci/install apt chromium=chromium nvim=neovim openssl=openssl gcc=gcc syncthing=syncthing
	@go mod download
	@go -C $(WASMTIME) mod download

# Eglot comes with Emacs from 29 on and is a package before.
.PHONY: emacs
emacs:
	@.ci/install apt emacs=emacs-nox
	@emacs -q --batch --eval "(require 'eglot)" 2>/dev/null || .ci/install apt eglot=elpa-eglot

# Built before the tests that run beside each other, all of which use it.
.PHONY: prepare
prepare: build wasm browser

.PHONY: npm
npm:
	@.ci/install npm

$(GOLANGCI):
	@.ci/install tool $(dir $@) github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
$(GOVULNCHECK):
	@.ci/install tool $(dir $@) golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)
$(WAZERO):
	@.ci/install tool $(dir $@) github.com/tetratelabs/wazero/cmd/wazero@$(WAZERO_VERSION)
$(ACTIONLINT):
	@.ci/install tool $(dir $@) github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)
$(NFPM):
	@.ci/install tool $(dir $@) github.com/goreleaser/nfpm/v2/cmd/nfpm@$(NFPM_VERSION)
$(AGENTS):
	@.ci/install agents $@
$(LICENSES):
	@.ci/install tool $(dir $@) github.com/google/go-licenses@$(LICENSES_VERSION)

.PHONY: clean
clean: ## remove what was built; ALL=1 also the caches
	@rm -rf bin dist extension/dist extension/dist-test extension/bin wasm/js/dist wasm/js/dist-test
	@if [[ -n "$(ALL)" ]]; then chmod -R u+w .cache 2>/dev/null; rm -rf .cache node_modules extension/node_modules wasm/js/node_modules; fi
