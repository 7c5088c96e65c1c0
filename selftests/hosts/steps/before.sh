#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# before: record the state of the host without openpmon.
. "$(dirname "$0")/common.sh"

settle
mkdir -p $kept
pmus >$kept/pmus
events | opens >$kept/events
warnings >$kept/warnings
units >$kept/units
files >$kept/files
runs 'the kernel has PMUs of its own' grep -q uncore_ $kept/pmus
runs 'with events that can be opened' grep -q 'uncore_.*/' $kept/events
note "$(wc -l <$kept/events) events, $(wc -l <$kept/pmus) PMUs"
is "$(cat $kept/units)" '' 'no unit has failed'
finish
