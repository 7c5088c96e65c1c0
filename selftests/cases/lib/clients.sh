# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Functions for cases that run programs of Debian 13, on the host:
#   copy_clients   add to `clients` the options of in_vm that copy the programs and
#                  their libraries to a guest's /root

copy_clients() {
	local built file

	built=$("$ROOT/selftests/lib/build/clients") || return
	for file in "$built"/*; do
		clients+=(--copy "$file")
	done
}
