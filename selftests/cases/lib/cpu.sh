# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For the emulator cases, beside tap.sh:
#   cpu_is NAME RESULT WHAT [gcc options]
#                    a program of selftests/emulator/cpu prints RESULT on this
#                    machine, which shows that it is right, and in the guest,
#                    where that means WHAT

cpu_is() {
	local name=$1 result=$2 what=$3

	shift 3
	gcc -O2 -Wall -Wextra -Werror -static "$@" -o "$TMP/$name" \
		"$ROOT/selftests/emulator/cpu/$name.c"
	is "$("$TMP/$name")" "$result" 'this machine: the program is right'
	for k in $KERNELS; do
		in_vm "$k" --kernel "$k" --machine spr-2s --drivers none \
			--copy "$TMP/$name" <<-S
		. /lib/test/guest.sh
		is "\$(/root/$name)" '$result' '$what'
		S
	done
}
