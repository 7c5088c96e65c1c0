# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091
# shellcheck shell=bash
# Define functions for the host side of cases:  . "$(dirname "$0")/../lib/tap.sh"
# A case has the checks of guest.sh, and:
#   in_vm NAME [run options] <<'SCRIPT'
#                                    run SCRIPT in a guest; each of its TAP lines is a
#                                    check, and the run is one more
#   each_vm [--as WHAT] [run options] <<'SCRIPT'
#                                    run in_vm on each kernel, with NAME "KERNEL WHAT"
#   vm    [run options] -- COMMAND   run selftests/vm/run
# Run options are those of selftests/vm/run, and:
#   --set NAME=VALUE   set a variable of SCRIPT
#   --program NAME     build and copy lib/NAME.c
#   --module NAME      build and copy selftests/guest/modules/NAME.c
# SCRIPT is preceded by guest.sh, the libraries for the case's folder (guest_libs), and
# $TMP/common.sh, which all guests of the case share; `finish` follows it.
# $KERNELS has the kernels to run on ("6.1 6.12").

CASES=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ROOT=$(cd "$CASES/../.." && pwd)
export CASES ROOT
KERNELS=${KERNELS:-6.1 6.12}
short=${OPENPMON_SHORT-}
TMP=$(mktemp -d "${TMPDIR:-/tmp}/case.XXXXXX")
trap 'rm -rf "$TMP"' EXIT

# A case with "# last block: no, WHY" runs without selftests/lib/vm/last.sh.
! grep -q '^# last block: no, .' "$0" || export OPENPMON_LAST=no

. "$CASES/lib/guest.sh"
# shellcheck source=../lib/machine.sh
. "$CASES/lib/machine.sh"

# program NAME: build lib/NAME.c statically, because a guest has no shared libraries
program() {
	[ -e "$TMP/programs/$1" ] || {
		mkdir -p "$TMP/programs" &&
			gcc -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static -pthread \
				-o "$TMP/programs/$1" "$CASES/lib/$1.c"
	} || return
	echo "$TMP/programs/$1"
}

vm() {
	local args=() kernel='' file

	while [ $# != 0 ]; do
		case $1 in
		--kernel) kernel=$2 ;;
		--program) file=$(program "$2") || return ;;
		--module)
			file=$("$ROOT/selftests/lib/build/test-module" "$2" "$kernel") || return ;;
		--) break ;;
		esac
		case $1 in
		--program | --module) args+=(--copy "$file"); shift ;;
		*) args+=("$1") ;;
		esac
		shift
	done
	"$ROOT/selftests/vm/run" "${args[@]}" "$@"
}

# guest_libs: print the libraries in /lib/test that the case needs, by its folder and name
guest_libs() {
	local area name

	area=$(basename "$(cd "$(dirname "$0")" && pwd)")
	name=$(basename "$0")
	[ "$area" != slow ] || area=${name%%-*}
	echo guest
	case $area in
	engine | uncore | r2pcie) printf '%s\n' uncore engine hold ;;&
	peer) echo uncore ;;
	cxl | plr | r2pcie) echo "$area" ;;
	esac
}

# in_vm NAME [run options] <SCRIPT: run a script in a guest; renumber its TAP lines,
# each with NAME before it. Its last row fails if the guest prints no plan, or if the
# script calls a function that does not exist.
in_vm() {
	local name=$1 line status=0 planned=none had=0 unknown args=()
	local sets=("short='$short'" "plr_latched='${plr_latched-}'")

	shift
	while [ $# != 0 ]; do
		case $1 in
		--set) sets+=("${2%%=*}='${2#*=}'"); shift ;;
		*) args+=("$1") ;;
		esac
		shift
	done
	{
		printf '%s\n' "${sets[@]}"
		guest_libs | sed 's|.*|. /lib/test/&.sh|'
		[ ! -e "$TMP/common.sh" ] || cat "$TMP/common.sh"
		cat
		echo finish
	} >"$TMP/script.sh"
	vm "${args[@]}" --copy "$TMP/script.sh" -- 'sh /root/script.sh' \
		>"$TMP/out" 2>"$TMP/err" || status=$?
	while IFS= read -r line; do
		case $line in
		'ok '*) ok "$name: ${line#ok * - }"; had=$((had + 1)) ;;
		'not ok '*) not_ok "$name: ${line#not ok * - }"; had=$((had + 1)) ;;
		'1..'*) planned=${line#1..} ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$TMP/out"
	unknown=$(grep -E '^[^ ]+: [0-9]+: [^ ]+: not found$' "$TMP/err")
	if [ "$unknown" ]; then
		not_ok "$name: the guest script ends without an error" "$unknown"
	elif [ "$status" = 0 ] && [ "$planned" != "$had" ]; then
		not_ok "$name: the guest script ends without an error" "$had results, planned: $planned"
	elif [ "$status" = 0 ]; then
		ok "$name: the guest script ends without an error"
	else
		not_ok "$name: the guest script ends without an error" "status $status
$(tail -n 40 "$TMP/err")"
	fi
}

each_vm() {
	local k script as=''

	[ "$1" != --as ] || { as=" $2"; shift 2; }
	script=$(cat)
	for k in $KERNELS; do
		in_vm "$k$as" --kernel "$k" "$@" <<<"$script"
	done
}
