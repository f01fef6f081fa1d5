# The most important targets: `make demo` shows one payment, `make test` runs every test, `make run` leaves both servers up.

# Packages that the machine needs besides a Swift toolchain. Missing Debian or Ubuntu packages are installed if that is
# permitted.
SYSTEM_PACKAGES := libcurl4-openssl-dev libpq-dev libsqlite3-dev libssl-dev pkg-config
# The build leaves out data that only a debugger or an editor reads, which saves a third of its time. Backtraces keep their
# lines.
# All targets that share a build folder have the same options. Otherwise each would build everything anew.
QUICKLY := -Xcc -g0 -Xcxx -g0 -Xswiftc -gline-tables-only --disable-index-store
SWIFT_BUILD := swift build $(QUICKLY)
# The package's tests are one program. `swift test` would plan the build again before each run.
RUN_TESTS := .build/debug/payrelayPackageTests.xctest --testing-library swift-testing
BUILD_TESTS := $(SWIFT_BUILD) --build-tests
SWIFT_FILES := Package.swift Examples Sources Tests Benchmarks/Package.swift Benchmarks/Sources Fuzz/Package.swift Fuzz/Sources

.PHONY: help build test test-one test-apple-pay simulate differential simulate-day crash test-tsan test-asan api-test web-check console-check docker-check \
    manifest-check monitoring-check receivers-check workflow-check config-check sbom release package-check bench bench-growth bench-peer bench-stages \
    failover-check fuzz soak model promises settings fort-codes web-module collection collection-check docs docs-site docs-client docs-check lint format program demo demo-picture run prerequisites clean

help:
	@echo 'make demo    watch one payment go through'
	@echo 'make test    run every test'
	@echo 'make test-one TEST=FortAPITests    run the tests of one target, one suite or one function'
	@echo 'make simulate SEEDS=1..100000    run as many simulated schedules as you like'
	@echo 'make differential CASES=100000    hold the verification of as many mutated tokens against OpenSSL'
	@echo 'make simulate-day DAYS=1..10       a day with three instances, crashes and failovers, for each seed'
	@echo 'make crash   kill the relay at every step of a payment, 200 times for each journal'
	@echo 'make test-tsan, make test-asan   run every test under ThreadSanitizer or AddressSanitizer'
	@echo 'make run     leave the relay and the sandboxes up, and print a curl line to paste'
	@echo 'make build   build the debug binary: .build/debug/payrelay'
	@echo 'make bench   measure the verification of tokens against OpenSSL, and the relay against nginx and the bare work'
	@echo 'make bench-stages   measure what each step of a payment costs'
	@echo 'make bench-peer PEER=FOLDER   measure the relay beside one in Go for the same work'
	@echo 'make bench-growth   measure what a million payments cost the journals'
	@echo 'make soak    load the relay for ten minutes and see that it ends where it began'
	@echo 'make failover-check  kill, cut off and switch over the primary of a PostgreSQL under Patroni while two relays pay; as root'
	@echo 'make fuzz    look for tokens on which the verification differs from CMS_verify of OpenSSL; until stopped'
	@echo 'make model   look at every state of a model of the payment protocol: docs/model.md'
	@echo 'make api-test      hold a live relay against docs/openapi.yaml with schemathesis'
	@echo 'make web-check     test payrelay.js with node, and pay with it in a browser'
	@echo 'make console-check  log in to the console in a browser, refund, and look at every page'
	@echo 'make docker-check  build the container image without a Docker engine, run it and pay through it'
	@echo 'make manifest-check  hold docker/kubernetes against the schemas of Kubernetes'
	@echo 'make monitoring-check  hold the alerts and the dashboard against a relay that Prometheus scrapes'
	@echo 'make receivers-check  send an event of a relay, and forged ones, to the receivers in Examples'
	@echo 'make config-check    hold docs/payrelay.example.yaml against the schema of the configuration file'
	@echo 'make workflow-check  hold .github/workflows against the schema of GitHub'
	@echo 'make sbom    write what is inside to .build/sbom.cdx.json (CycloneDX)'
	@echo 'make release  leave the tarball, the Debian package, the SBOM, the image and their checksums in .build/release-files'
	@echo 'make package-check  install, upgrade and purge the Debian package on a Debian 12 that systemd has booted'
	@echo 'make promises    list in docs/promises.md the tests that keep each promise'
	@echo 'make settings    write the tables of docs/configuration.md from the declarations of the settings'
	@echo 'make fort-codes  list in docs/fort-codes.md what FORT answers and what the relay makes of it'
	@echo 'make web-module  compress payrelay.js, and write its path and hash into docs/apple-pay-on-the-web.md'
	@echo 'make collection  make the collection in Examples for Postman and Bruno from docs/openapi.yaml'
	@echo 'make collection-check  send its requests to a relay and a sandbox'
	@echo 'make docs    build the site of the documentation, with the library for apps: .build/docs/site'
	@echo 'make docs-check  look at every page of the site in a browser'
	@echo 'make demo-picture  record what make demo prints in docs/images/demo.svg'
	@echo 'make lint    check the formatting and what the style forbids'
	@echo 'make format  format every Swift file'

build: prerequisites
	$(SWIFT_BUILD)

# Builds only the two programs, without the examples and the library for apps.
program: prerequisites
	$(SWIFT_BUILD) --product payrelay
	$(SWIFT_BUILD) --product payrelay-dev

# Without a PostgreSQL server to start, the tests of its journal are skipped.
test: SYSTEM_PACKAGES += pgbouncer postgresql
test: prerequisites
	$(BUILD_TESTS)
	Tests/run
	$(MAKE) --no-print-directory test-apple-pay

# Runs one target's tests, one suite or one test: make test-one TEST=FortAPITests,
# TEST=RepeatedRequestTests/aReplayIsTheSameBytes.
test-one: prerequisites
	$(BUILD_TESTS)
	$(RUN_TESTS) --filter '$(TEST)'

# Tests the client library's Apple Pay and the views of Portmone's SDK, with declarations of PassKit and UIKit that run on
# Linux.
test-apple-pay: prerequisites
	timeout --kill-after=30 1800 swift test --disable-xctest --package-path Tests/PassKit
	timeout --kill-after=30 1800 swift test --disable-xctest --package-path Tests/UIKit

# Runs schedules of faults and crashes against the payment core, and of corrupted messages against each gateway's module and
# sandbox. A failure prints the seed that replays it.
SEEDS ?= 1..20000
simulate: prerequisites
	$(BUILD_TESTS)
	PAYRELAY_SIMULATION_SEEDS=$(SEEDS) $(RUN_TESTS) --filter 'SimulationTests/keepsFort|ScheduleTests/agrees'

# Compares the verdicts of the verification and of OpenSSL on mutated tokens.
CASES ?= 100000
differential: prerequisites
	$(BUILD_TESTS)
	PAYRELAY_DIFFERENTIAL_CASES=$(CASES) $(RUN_TESTS) --filter 'TokenTests.DifferentialTests'

# Simulates a day of several instances that crash and a primary that fails, for each seed, which takes a minute or two.
DAYS ?= 1..3
simulate-day: prerequisites
	$(BUILD_TESTS)
	PAYRELAY_SIMULATION_DAYS=$(DAYS) $(RUN_TESTS) --filter 'SimulationTests/keepsADay'

# Kills the relay with kill -9 at every step of a payment, for each journal.
CYCLES ?= 200
crash: SYSTEM_PACKAGES += postgresql
crash: prerequisites
	$(BUILD_TESTS)
	PAYRELAY_CRASH_CYCLES=$(CYCLES) $(RUN_TESTS) --filter CrashCycleTests

# Runs everything that `make test` runs, under a sanitizer and in a separate build folder. A race or a bad access ends its
# process, which may be the test's own or a relay beside it.
test-tsan: SANITIZER := thread
test-tsan: export TSAN_OPTIONS := suppressions=$(CURDIR)/Tests/thread-sanitizer.txt halt_on_error=1 \
    external_symbolizer_path=$(shell command -v llvm-symbolizer)
# Values in Swift's static properties look like leaks at the end. Freed memory must not look like memory that grows.
test-asan: SANITIZER := address
test-asan: export ASAN_OPTIONS := detect_leaks=0:quarantine_size_mb=16
test-tsan test-asan: SYSTEM_PACKAGES += postgresql
test-tsan test-asan: prerequisites
	swift build --disable-index-store --build-tests --sanitize $(SANITIZER) --scratch-path .build-$(SANITIZER)
	Tests/run .build-$(SANITIZER)

# The release build, as in the container image.
RELEASE_BUILD := packaging/build

# Makes the documentation as a site: a folder to read from a disk or to serve as files. No page loads anything from another
# host.
DOCS := .build/docs
SITE := $(DOCS)/site
DOCS_TOOLS := .build/docs-tools
docs: docs-site
	$(MAKE) --no-print-directory docs-client

# MkDocs comes from PyPI. The build fails if a link is broken, or if the collection was not made from the present
# docs/openapi.yaml.
docs-site: $(DOCS_TOOLS)
	$(DOCS_TOOLS)/bin/python docs/site/collection.py --check
	NO_MKDOCS_2_WARNING=1 $(DOCS_TOOLS)/bin/python -m mkdocs build --strict
	$(DOCS_TOOLS)/bin/python docs/site/check_links.py $(SITE)

$(DOCS_TOOLS): docs/site/requirements.txt
	test -d $@ || python3 -m venv $@
	$@/bin/pip install --quiet --requirement $<
	touch $@

# Makes the reference of the library for apps, at /payrelay-client of the site. It uses the toolchain's docc, because every app
# would fetch a plugin in Package.swift. The symbols come from Tests/PassKit, where the Apple Pay parts are compiled on Linux.
docs-client: prerequisites
	mkdir -p $(DOCS)/symbols $(DOCS)/client $(SITE)
	swift build --package-path Tests/PassKit --scratch-path $(DOCS)/build --target PayrelayClient \
	    -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc $(CURDIR)/$(DOCS)/symbols
	cp $(DOCS)/symbols/PayrelayClient*.symbols.json $(DOCS)/client
	docc convert Sources/Clients/PayrelayClient/PayrelayClient.docc --additional-symbol-graph-dir $(DOCS)/client \
	    --fallback-display-name PayrelayClient --fallback-bundle-identifier payrelay.PayrelayClient \
	    --warnings-as-errors --transform-for-static-hosting --hosting-base-path payrelay-client --output-dir $(SITE)/payrelay-client

# Opens every page from the disk and from a server, in the width of a phone and of a desktop. No page may load anything from
# another host, and the search must find its texts. SCREENSHOTS=FOLDER keeps pictures of some pages.
docs-check: SYSTEM_PACKAGES := chromium python3-venv
docs-check: prerequisites docs-site
	test -d .build/web-check || python3 -m venv .build/web-check
	.build/web-check/bin/pip install --quiet playwright==1.65.2
	.build/web-check/bin/python docs/site/browser_check.py $(SITE)
	docs/sizing.py --check docs/several-instances.md > /dev/null

# Makes the requests of docs/openapi.yaml for Postman and Bruno.
collection: $(DOCS_TOOLS)
	$(DOCS_TOOLS)/bin/python docs/site/collection.py

# Sends each of these requests to a relay and a sandbox. PAYRELAY is the binary.
collection-check: PAYRELAY ?= .build/debug/payrelay
collection-check:
	test -x $(PAYRELAY) || $(MAKE) --no-print-directory build
	PAYRELAY=$(PAYRELAY) Tests/API/collection_check.py

# Measures the verification of tokens, and then the relay as a whole. The results are ratios to other values of the same run:
# docs/performance.md. PAYMENTS=200000 make bench watches the memory for longer. Nothing else should run meanwhile.
bench: SYSTEM_PACKAGES += nginx postgresql
bench: PAYMENTS ?= 40000
bench: prerequisites
	$(RELEASE_BUILD)
	swift run --package-path Benchmarks --configuration release VerificationBenchmark
	swift run --package-path Benchmarks --configuration release RelayBenchmark .build/release/payrelay $(PAYMENTS)
	test -z '$(PEER)' || $(MAKE) --no-print-directory bench-peer

# Compares with a relay in Go that does the same work, also before a gateway that takes 1.5 seconds. PEER is the folder of its
# sources: relay_full.go, and upstream.go for the gateway. It takes four minutes after the builds.
bench-peer: SYSTEM_PACKAGES += golang-go golang-github-mattn-go-sqlite3-dev
bench-peer: prerequisites
	@test -n '$(PEER)' || { echo 'PEER is missing: the folder of relay_full.go and upstream.go'; exit 1; }
	mkdir -p .build/peer
	GO111MODULE=off GOPATH=/usr/share/gocode go build -tags libsqlite3 -o .build/peer/relay $(PEER)/relay_full.go
	go build -o .build/peer/gateway $(PEER)/upstream.go
	$(RELEASE_BUILD)
	swift run --package-path Benchmarks --configuration release RelayBenchmark --peer .build/peer/relay .build/peer/gateway \
	    .build/release/payrelay

# Measures the cost of a payment at saturation, and of each of its steps: it shows what to improve next. It takes two minutes
# after the build.
bench-stages: SYSTEM_PACKAGES += nginx
bench-stages: prerequisites
	$(RELEASE_BUILD)
	swift run --package-path Benchmarks --configuration release RelayBenchmark --stages .build/release/payrelay

# Measures the cost of a payment in a journal that holds a million payments, and in an empty one. PostgreSQL is measured if it
# is installed.
bench-growth: SYSTEM_PACKAGES += postgresql
bench-growth: PAYMENTS ?= 1000000
bench-growth: prerequisites
	swift run --package-path Benchmarks --configuration release JournalGrowthBenchmark $(PAYMENTS)

# Loads the relay. Memory, descriptors and latency must end where they began, and the books must be equal.
RATE ?= 200
DURATION ?= 10m
soak: prerequisites
	$(RELEASE_BUILD)
	.build/release/payrelay-dev loadtest --soak --rate $(RATE) --duration $(DURATION) --report .build/soak.html

# Ten faults take nine minutes. FAULTS=3 RATE=50 is enough for a first look. The network namespaces need root.
failover-check: SYSTEM_PACKAGES += etcd-server iproute2 nginx patroni postgresql
failover-check: FAULTS ?= 10
failover-check: prerequisites
	$(RELEASE_BUILD)
	PAYRELAY=$(CURDIR)/.build/release/payrelay FAULTS=$(FAULTS) RATE=$(RATE) Tests/Failover/failover_check.py

# libFuzzer's options may be given: make fuzz FUZZ=-max_total_time=300. Of several -sanitize options the Swift compiler obeys
# only the last, so one option names both. Values in Swift's static properties look like leaks at the end.
fuzz: prerequisites
	swift build --package-path Fuzz --configuration release --sanitize fuzzer --sanitize address -Xswiftc -sanitize=fuzzer,address
	ASAN_OPTIONS=detect_leaks=0 Fuzz/.build/release/VerificationFuzz Fuzz/.build/corpus -max_len=8192 -timeout=10 -artifact_prefix=Fuzz/.build/ $(FUZZ)

# Visits every reachable state of docs/model/payment.pml. It takes some minutes on two cores, and 2 GB. MODEL=--all takes
# longer.
model: SYSTEM_PACKAGES := gcc libc6-dev python3 spin
model: prerequisites
	docs/model/check $(MODEL)

# schemathesis comes from PyPI, into .build. Its options may be given: make api-test API_TEST=--max-examples=500.
api-test: build
	Tests/API/run $(API_TEST)

# Tests the module's rules under node, and then the page of docs/apple-pay-on-the-web.md and the page of `payrelay-dev` in
# Chromium against a live relay. playwright and axe come from PyPI, the browser and the TypeScript compiler from the system.
# SEEDS=1..100000 runs more schedules.
web-check: SYSTEM_PACKAGES += chromium nginx node-typescript nodejs python3-venv
web-check: build
	SEEDS=$(SEEDS) node --test Tests/Web/*.test.mjs
	test -d .build/web-check || python3 -m venv .build/web-check
	.build/web-check/bin/pip install --quiet playwright==1.65.2 axe-playwright-python==0.1.8
	.build/web-check/bin/python Tests/Web/browser_check.py
	.build/web-check/bin/python Tests/Web/checkout_check.py .build/debug/payrelay
	.build/web-check/bin/python Tests/Web/shop_check.py

# Tests the operators' console in Chromium, against a live relay on each journal, with PAYMENTS payments that the load test
# makes first: a debug build makes about 150 a second on two cores. SCREENSHOTS=FOLDER keeps pictures, among them console.png of
# docs/images. CONSOLE_CHECK='-k NAME' runs one case.
console-check: SYSTEM_PACKAGES += chromium postgresql python3-venv
console-check: export PAYMENTS ?= 100000
console-check: build
	test -d .build/web-check || python3 -m venv .build/web-check
	.build/web-check/bin/pip install --quiet playwright==1.65.2 axe-playwright-python==0.1.8
	.build/web-check/bin/python Tests/Web/console_check.py $(CONSOLE_CHECK)

# It needs root, an hour on a small machine, and 10 GB in .build-docker. It is not for every CI run.
docker-check: SYSTEM_PACKAGES := buildah curl debootstrap
docker-check: prerequisites
	docker/check

# Uses Kubernetes' own schemas, which a validator from PyPI includes.
manifest-check:
	test -d .build/manifest-check || python3 -m venv .build/manifest-check
	.build/manifest-check/bin/pip install --quiet kubernetes-validate==1.37.0
	.build/manifest-check/bin/kubernetes-validate --strict docker/kubernetes/*.yaml

# A receiver whose runtime is not installed is skipped. PAYRELAY is the binary.
receivers-check: PAYRELAY ?= .build/debug/payrelay
receivers-check:
	test -x $(PAYRELAY) || $(MAKE) --no-print-directory build
	PAYRELAY=$(PAYRELAY) Examples/event-receivers/check.py

# Checks the schema of the configuration file, and the example both unchanged and uncommented, with a validator from PyPI.
config-check: PAYRELAY ?= .build/debug/payrelay
config-check:
	test -x $(PAYRELAY) || $(MAKE) --no-print-directory build
	test -d .build/config-check || python3 -m venv .build/config-check
	.build/config-check/bin/pip install --quiet check-jsonschema==0.39.0
	$(PAYRELAY) config schema >.build/config-check/schema.json
	sed -E 's/^( *)#([^ ])/\1\2/' docs/payrelay.example.yaml >.build/config-check/every-setting.yaml
	.build/config-check/bin/check-jsonschema --check-metaschema .build/config-check/schema.json
	.build/config-check/bin/check-jsonschema --schemafile .build/config-check/schema.json \
	    docs/payrelay.example.yaml .build/config-check/every-setting.yaml
	$(PAYRELAY) config check --config .build/config-check/every-setting.yaml

# Uses GitHub's own schema, which a validator from PyPI includes.
workflow-check:
	test -d .build/workflow-check || python3 -m venv .build/workflow-check
	.build/workflow-check/bin/pip install --quiet check-jsonschema==0.39.0
	.build/workflow-check/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

# A Prometheus scrapes a relay under load. PAYRELAY is the binary.
monitoring-check: SYSTEM_PACKAGES += prometheus
monitoring-check: PAYRELAY ?= .build/debug/payrelay
monitoring-check: prerequisites
	test -x $(PAYRELAY) || $(MAKE) --no-print-directory build
	PAYRELAY=$(PAYRELAY) monitoring/check

# The validator comes from PyPI.
sbom: prerequisites
	docker/sbom >.build/sbom.cdx.json
	test -d .build/sbom-check || python3 -m venv .build/sbom-check
	.build/sbom-check/bin/pip install --quiet 'cyclonedx-python-lib[json-validation]'
	.build/sbom-check/bin/python docker/sbom-check .build/sbom.cdx.json

# Makes the files of a release in .build/release-files. The image needs root and buildah; IMAGE=no leaves it out. PAYRELAY is a
# binary that was built before.
release: SYSTEM_PACKAGES += debhelper
release: sbom
	test -n '$(PAYRELAY)' || $(RELEASE_BUILD)
	packaging/release $(or $(PAYRELAY),.build/release/payrelay) .build/release-files

# It needs root, and 1 GB in .build/package-check. PAYRELAY is a binary that was built before.
package-check: SYSTEM_PACKAGES += debhelper debootstrap lintian systemd-container
package-check: prerequisites
	test -n '$(PAYRELAY)' || $(RELEASE_BUILD)
	packaging/stage $(or $(PAYRELAY),.build/release/payrelay) .build/package-check/stage
	packaging/check .build/package-check/stage

demo: program
	.build/debug/payrelay-dev demo

# Records the demo's output as README shows it. PAYRELAY_DEV is the binary.
demo-picture: PAYRELAY_DEV ?= .build/debug/payrelay-dev
demo-picture:
	test -x $(PAYRELAY_DEV) || $(MAKE) --no-print-directory build
	docs/site/record_demo.py $(PAYRELAY_DEV)

run: program
	.build/debug/payrelay-dev

# Writes the list from the display names of the tests.
promises: prerequisites
	$(BUILD_TESTS)
	PAYRELAY_WRITE_PROMISES=1 $(RUN_TESTS) --filter PromisesDocumentTests

# Writes the tables of docs/configuration.md and the example file from the declarations of the settings.
settings: prerequisites
	$(BUILD_TESTS)
	PAYRELAY_WRITE_SETTINGS=1 $(RUN_TESTS) --filter ConfigurationDocumentTests

# Writes the page from the table of FORT's codes, and from the relay's handling of each.
fort-codes: prerequisites
	$(BUILD_TESTS)
	PAYRELAY_WRITE_FORT_CODES=1 $(RUN_TESTS) --filter FortCodesDocumentTests

# Makes the files from Sources/Server/ServedFiles/payrelay.js.
web-module: prerequisites
	gzip -9n < Sources/Server/ServedFiles/payrelay.js > Sources/Server/ServedFiles/payrelay.js.gz
	$(BUILD_TESTS)
	PAYRELAY_WRITE_WEB_MODULE=1 $(RUN_TESTS) --filter WebModuleDocumentTests

lint: prerequisites
	swift format lint --strict --recursive $(SWIFT_FILES)
	Tests/Style/bytes

format:
	swift format --in-place --recursive $(SWIFT_FILES)

prerequisites:
	@command -v swift >/dev/null || { echo 'A Swift 6.3 toolchain is needed: https://www.swift.org/install/linux/'; exit 1; }
	@command -v dpkg-query >/dev/null || exit 0; \
	missing=; \
	for package in $(SYSTEM_PACKAGES); do \
	    dpkg-query --show --showformat='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	test -n "$$missing" || exit 0; \
	install="apt-get install --yes --no-install-recommends$$missing"; \
	if [ "$$(id -u)" = 0 ]; then apt-get update && $$install; \
	elif sudo --non-interactive true 2>/dev/null; then sudo apt-get update && sudo $$install; \
	else echo "Packages are missing. Run: sudo $$install"; exit 1; fi

clean:
	swift package clean
