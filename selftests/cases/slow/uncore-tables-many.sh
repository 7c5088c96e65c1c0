#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# More than two hundred damaged tables, each another one, see uncore-tables.sh.
SEEDS=$(seq -s' ' 2 10)
. "$(dirname "$0")/../uncore-tables.sh"
