# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Test that help, bash completion and manual pages have the options that pmonctl accepts.

mkdir "$tmp/path"
ln -s "$PMONCTL_TEST" "$tmp/path/pmonctl"
"$here/../manual" "$PMONCTL_TEST" "$tmp/man"
a nothing

# completes WORDS: print bash's completions of the last word
completes() {
	PATH=$tmp/path:$PATH bash -c '
		. "$1"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_pmonctl
		printf "%s\n" "${COMPREPLY[@]}" | sort' - \
		"$here/../completion.bash" "$@" 2>&1 | paste -sd' '
}
# is NAME OUTPUT EXPECTED: test that two texts are equal
is() {
	[ "$2" = "$3" ]
	verdict $? "$1" || echo "# it is: $2"
}

commands='adopt bw doctor dump explain list metrics plr release stat'
areas='cxl plr qpi r2pcie uncore'
is "completion: commands" "$(completes pmonctl '')" "$commands"
is "completion: the beginning of one" "$(completes pmonctl d)" 'doctor dump'
is "completion: options after others" "$(completes pmonctl --json plr --c)" '--clear --cpu'
is "completion: areas" "$(completes pmonctl adopt '')" "$areas"
is "completion: options before a command" "$(completes pmonctl --)" '--help --json --version'
is "completion: kinds" "$(completes pmonctl bw --kind memory,c)" 'memory,cxl memory,cxlhost memory,cxlport'
is "completion: reasons" "$(completes pmonctl explain THERMAL)" 'THERMAL THERMAL_PER_CORE'
is "completion: reasons in lower case" "$(completes pmonctl explain qo)" 'QOS'
is "completion: the program of a job" "$(completes pmonctl stat sha256su)" 'sha256sum'
is "completion: reasons that are cleared" "$(completes pmonctl plr --clear QO)" 'QOS'
is "manual: NAME says what it does" "$(grep -h '^\.Nd' "$tmp"/man/pmonctl-[aes][dxt]*.8 | sort)" \
".Nd bandwidth and limits while a job runs
.Nd hand boxes of the kernel's drivers to openpmon
.Nd meanings of all reasons, of one, or of those in a raw register, 64 bits in hexadecimal"
[ "$(grep -l '^\.Sh EXIT STATUS' "$tmp"/man/*.8 | wc -l)" = 11 ]
verdict $? "manual: each page has EXIT STATUS"
is "completion: a job is none of ours" "$(completes pmonctl stat -- l)" ''
"$PMONCTL_TEST" --help >"$tmp/help"
for area in $areas; do
	grep -qE "^\.Pq Cm (.* )?$area( |\$)" "$tmp/man/pmonctl-adopt.8" &&
		sed -n '/AREA is$/{n;p}' "$tmp/help" | grep -qw "$area"
	verdict $? "$area: the manual pages and --help have it"
done
is "--help: commands" "$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$tmp/help" | sort | paste -sd' ')" \
	"$commands"
sed -n '/^\.Sh OPTIONS/,/^\.Sh FILES/s/^\.It Fl .*\\-\([a-z-]*\).*/--\1/p' "$here/../pmonctl.8" >"$tmp/shown"
is "manual: it has the options of --help" "$(grep -o -- '--[a-z][a-z]*' "$tmp/help" | sort -u | paste -sd' ')" \
	"$(sort "$tmp/shown" | paste -sd' ')"

# options COMMAND: print the options in its help, with a value for options that take one
options() {
	"$PMONCTL_TEST" help "$1" | sed -n 's/^  \(-., \)*\(--[a-z-]*\) [A-Z].*/\2=1/p; t
		s/^  \(-., \)*\(--[a-z-]*\).*/\2/p' | sort
}
for command in $commands; do
	options "$command"
done | sort -u >"$tmp/options"
for command in $commands; do
	run 0 help "$command" && cp "$tmp/out" "$tmp/help" && run 0 "$command" --help &&
		cmp -s "$tmp/out" "$tmp/help" &&
		has "Usage: pmonctl $command *" "For example: pmonctl $command*" &&
		! grep -q '.\{80\}' "$tmp/out" && [ "$(wc -l <"$tmp/out")" -lt 24 ]
	verdict $? "help $command: of it alone, on a screen, with an example"
	taken=$(while read -r option; do
		"$PMONCTL_TEST" "$command" "$option" 2>&1 </dev/null |
			grep -q 'has no option' || echo "$option"
	done <"$tmp/options" | paste -sd' ')
	is "$command: it takes the options of its help, and no others" "$taken" \
		"$(options "$command" | paste -sd' ')"
	words=$(options "$command" | sed 's/=1//' | sort | paste -sd' ')
	is "completion: $command is offered them" "$(completes pmonctl "$command" --)" "$words"
	page=$tmp/man/pmonctl-$command.8
	is "manual: a page of $command has them" "$(sed -n \
		's/\\-/-/g; s/^\.It [^ ]*,* *\(--[a-z-]*\).*/\1/p' "$page" | sort | paste -sd' ')" "$words"
	[ "$(sed -n '/^\.Sh DESC/,/^\.Pp$/p' "$page" | wc -l)" -gt 3 ] &&
		grep -q "^\.Dl # pmonctl $command" "$page"
	verdict $? "manual: and what it does, and an example"
done
if command -v mandoc >/dev/null; then
	is "manual: the pages are clean" "$(mandoc -Tlint -Wwarning "$tmp"/man/*.8 | grep -v mandoc.db)" ''
fi
