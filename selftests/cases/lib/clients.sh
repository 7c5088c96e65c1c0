# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For cases that run programs of Debian 13, on the host:
#   copy_clients   adds to `clients` the options of in_vm that bring them, and what
#                  they need, into a guest's /root

copy_clients() {
	local built file

	built=$("$ROOT/selftests/lib/build/clients") || return
	for file in "$built"/*; do
		clients+=(--copy "$file")
	done
}
