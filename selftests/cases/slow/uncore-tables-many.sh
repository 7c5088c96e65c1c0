#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# More than two hundred damaged tables, each another one, see uncore/tables.sh; a
# tenth of them with the sanitizers.
# all kernels: 6.12 sanitizer
SEEDS=$(seq -s' ' 2 10)
[ "${KERNELS-}" != sanitizer ] || SEEDS=2
. "$(dirname "$0")/../uncore/tables.sh"
