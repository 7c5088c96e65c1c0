# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091
# shellcheck shell=bash
# For the cases, which run on the host:  . "$(dirname "$0")/../lib/tap.sh"
# The same checks as in the guest, and:
#   in_vm NAME [run options] <<'SCRIPT'
#                                    runs SCRIPT in a guest, as one check per TAP line
#                                    of it, then one for the run
#   each_vm [--as WHAT] [run options] <<'SCRIPT'
#                                    likewise, on each of the kernels
#   Beside the options of run: --set NAME=VALUE, a variable of SCRIPT
# In the guest there is guest.sh, what the cases of the area share, guest_libs, and
# what the guests of the case do, $TMP/common.sh.
# The script ends with `finish`, without saying so.
#   vm    [run options] -- COMMAND   selftests/vm/run
# Besides its options: --program NAME, lib/NAME.c, and --module NAME,
# selftests/guest/modules/NAME.c, are built and copied.
# A case takes the kernels to run on from $KERNELS ("6.1 6.12").

CASES=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ROOT=$(cd "$CASES/../.." && pwd)
export CASES ROOT
KERNELS=${KERNELS:-6.1 6.12}
short=${OPENPMON_SHORT-}
TMP=$(mktemp -d "${TMPDIR:-/tmp}/case.XXXXXX")
trap 'rm -rf "$TMP"' EXIT

# "# last block: no, WHY" in a case: selftests/lib/vm/last.sh is not for its guests.
! grep -q '^# last block: no, .' "$0" || export OPENPMON_LAST=no

. "$CASES/lib/guest.sh"
# shellcheck source=../lib/machine.sh
. "$CASES/lib/machine.sh"

# program NAME: lib/NAME.c for a guest, which has no libraries
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

# guest_libs: of /lib/test, for a case of this name and folder
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

# in_vm NAME [run options] <SCRIPT: the guest's TAP lines are counted on in the
# case's own numbering; NAME stands before each. The guest must have said how
# many there are, and a check that is no function there is none that passed.
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
		not_ok "$name: the run" "$unknown"
	elif [ "$status" = 0 ] && [ "$planned" != "$had" ]; then
		not_ok "$name: the run" "$had results, planned: $planned"
	elif [ "$status" = 0 ]; then
		ok "$name: the run"
	else
		not_ok "$name: the run" "status $status
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
