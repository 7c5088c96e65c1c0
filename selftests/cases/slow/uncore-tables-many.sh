#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# More than two hundred damaged tables, each another one, see uncore-tables.sh.
# all kernels: 6.1 6.12 7.2 sanitizer
SEEDS=$(seq -s' ' 2 10)
. "$(dirname "$0")/../uncore-tables.sh"
