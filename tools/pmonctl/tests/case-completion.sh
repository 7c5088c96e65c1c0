# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Completion for bash: what --help says, and what its commands take.

mkdir -p "$tmp/path"
ln -sf "$PMONCTL" "$tmp/path/pmonctl"

# completes WORDS: what it offers for the last one
completes() {
	PATH=$tmp/path:$PATH bash -c '
		. "$1"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_pmonctl
		printf "%s\n" "${COMPREPLY[@]}" | sort' - \
		"$here/../completion.bash" "$@" 2>&1 | paste -sd' '
}

# is WHAT IT OFFERS
is() {
	[ "$2" = "$3" ] || echo "# it offers: $2"
	[ "$2" = "$3" ]
	verdict $? "completion: $1"
}

is "commands" "$(completes pmonctl '')" 'adopt bw doctor explain list metrics plr release stat'
is "the beginning of one" "$(completes pmonctl d)" doctor
is "options after others" "$(completes pmonctl --json plr --c)" '--clear --cpu'
is "areas" "$(completes pmonctl adopt '')" 'cxl plr qpi r2pcie uncore'
is "a job is none of ours" "$(completes pmonctl stat -- l)" ''

# Every option that a command takes is completed for it, and no other is.
for command in $(completes pmonctl ''); do
	takes=$("$PMONCTL" help "$command" | grep -o -- '--[a-z][a-z-]*' | sort -u | paste -sd' ')
	is "$command is offered what it takes" "$(completes pmonctl "$command" --)" "$takes"
done
