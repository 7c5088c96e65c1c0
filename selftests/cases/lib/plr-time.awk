# SPDX-License-Identifier: GPL-2.0-only
# Compare perf's counts, in the files modules and sockets, with the limits in force,
# in schedule and truth. The file places has each CPU's module. Variables: bits,
# "EVENT=BIT ...", and gap, the longest time between polls in ms. A reason counts
# for whole intervals between polls, so each edge of a limit adds one at most. Print
# wrong counts, then the numbers of module counts, limited ones, and package counts.
BEGIN {
	FS = ","
	n = split(bits, word, /[ =]/)
	for (i = 1; i < n; i += 2)
		bit["plr/" word[i] "/"] = word[i + 1]
}
# has(VALUE, BIT): test a bit of hexadecimal text, as awk's numbers have 53 bits
function has(value, b,  digit) {
	digit = substr(value, length(value) - int(b / 4), 1)
	digit = index("0123456789abcdef", digit) - 1
	for (b %= 4; b; b--)
		digit = int(digit / 2)
	return digit % 2
}
FILENAME ~ /schedule$/ {
	split($0, word, " ")
	for (e in bit)
		if (has(word[3], bit[e]))
			edges[word[2] " " bit[e]] += 2
}
FILENAME ~ /places$/ { split($0, word, " "); place[word[1]] = word[2] }
FILENAME ~ /truth$/ {
	split($0, word, /[ =]/)
	ns[word[2] " " word[4]] = word[6]
}
FILENAME ~ /modules$/ && $4 in bit {
	key = place[$1] " " bit[$4]
	low = ns[key] / 1e6
	high = low + edges[key] * (gap + 5)
	rows++
	if (low)
		limited++
	if ($2 + 5 < low || $2 > high)
		print $1 " " key " " $4 ": " $2 ", not " low " to " high
	socket = place[$1]
	sub(/\/.*/, "", socket)
	sum["S" socket " " $4] += $2
	modules["S" socket " " $4]++
}
FILENAME ~ /sockets$/ && $5 in bit {
	key = $1 " " $5
	packages++
	if ($2 != modules[key])
		print key ": " $2 " modules, not " modules[key]
	if ($3 - sum[key] > 1 || sum[key] - $3 > 1)
		print key ": " $3 ", not " sum[key]
}
END { print rows + 0, limited + 0, packages + 0 }
