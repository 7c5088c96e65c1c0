#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# 150,000 calls, or FUZZ_CALLS: perf_event_open, ioctl, read, mmap and close on all
# our PMUs, at random and one after the other, while CPUs, devices and modules go now
# and then. Another seed each day. An emulated CPU makes three thousand in a second
# with all sanitizers.
# kernels: sanitizer
export FUZZ_CALLS=${FUZZ_CALLS:-150000} FUZZ_SECONDS=${FUZZ_SECONDS:-3600}
export FUZZ_SEED=${FUZZ_SEED:-$(date +%Y%j)7}
exec "$(dirname "$0")/../engine/fuzz-perf.sh"
