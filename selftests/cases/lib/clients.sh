# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Define functions for the host side of cases whose guests run programs of Debian 13:
#   copy_clients   add to `clients` the options of in_vm that copy the programs and
#                  their libraries to a guest's /root

copy_clients() {
	local built file

	built=$("$ROOT/selftests/lib/build/clients") || return
	for file in "$built"/*; do
		clients+=(--copy "$file")
	done
}
