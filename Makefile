# SPDX-License-Identifier: GPL-2.0-only
#
# Targets for people; `make help` lists them. The kernel's build system reads Kbuild.

KVER ?= $(shell uname -r)
MACHINE ?= gnr-2s
KERNEL ?= 6.12
DRIVERS ?= ours
AREA ?= core
COUNT ?= 50
MODULES ?= all
CACHE := $(or $(OPENPMON_CACHE),$(CURDIR)/.cache)

export KVER DESTDIR PREFIX SIGN_KEY SIGN_CERT

ifeq ($(MODULES),plr)
export OPENPMON_LEAVES := core plr
else ifneq ($(MODULES),all)
$(error MODULES=$(MODULES): all, or plr for limits only)
endif

.PHONY: all modules tools install uninstall dkms-install dkms-uninstall deb \
	dist modules-deb demo vm quick check check-all coverage mutants bench setup clean distclean \
	help

all: modules tools

modules:
	@selftests/lib/build/modules $(KVER)

tools:
	@$(MAKE) --no-print-directory -C tools/pmonctl

install: all
	@tools/packaging/install/install

uninstall:
	@tools/packaging/install/uninstall

dkms-install:
	tools/packaging/dkms/install

dkms-uninstall:
	tools/packaging/dkms/uninstall

deb:
	tools/packaging/debian/build

dist:
	@tools/packaging/dist

modules-deb:
	tools/packaging/debian/modules $(KVER)

setup:
	@tools/setup

demo:
	@tools/demo/demo

vm:
	@tools/setup --demo
	@selftests/vm/run --machine $(MACHINE) --kernel $(KERNEL) \
		--drivers $(DRIVERS) --interactive

quick:
	@selftests/quick

check:
	@selftests/check

check-all:
	@selftests/check --all

coverage:
	@selftests/lint/coverage/run

mutants:
	@selftests/lint/mutants/run $(AREA) --count $(COUNT) $(if $(SEED),--seed $(SEED)) \
		$(if $(SKIP),--skip $(SKIP)) $(if $(GUESTS),--guests)

bench:
	selftests/cases/bench/run

clean:
	rm -rf $(CACHE)/modules $(CACHE)/kunit $(CACHE)/pmonctl*

distclean:
	rm -rf $(CACHE)

help:
	@echo 'make              the modules and pmonctl, for the running kernel'
	@echo '                  or KVER=<release>'
	@echo 'make install      install them (DESTDIR=, PREFIX=/usr); make uninstall;'
	@echo '                  MODULES=plr, here and below: limits only'
	@echo 'make dkms-install the modules, built again with each new kernel'
	@echo 'make deb          Debian packages; make modules-deb KVER=<release>'
	@echo '                  [SIGN_KEY=<file>] one with modules, built and signed'
	@echo 'make dist         a tarball of the commit'
	@echo 'make demo         the main job on emulated servers; loads nothing here'
	@echo 'make vm           a shell on an emulated server (MACHINE=gnr-2s'
	@echo '                  KERNEL=6.1|6.12|newest|sanitizer'
	@echo '                  DRIVERS=ours|upstream|both|none)'
	@echo 'make quick        what a developer runs before each commit'
	@echo 'make check        install what tests need, run them'
	@echo 'make check-all    and the slow ones'
	@echo 'make coverage     which lines of the drivers run in the tests'
	@echo 'make mutants      bugs put in one at a time, which the tests must see'
	@echo '                  (AREA=core COUNT=50 SEED=n GUESTS=1)'
	@echo 'make bench        side by side with the kernel'"'"'s own drivers'
	@echo 'make setup        only install what the tests need'
	@echo 'make clean        remove built modules; distclean: the whole cache'
