# SPDX-License-Identifier: GPL-2.0-only
"""The output of pmonctl, as lines, tables and JSON."""
import json
import re

import pytest


def squeezed(text):
    """Return the lines of a text with single spaces, because widths of columns do not matter."""
    return [" ".join(line.split()) for line in text.strip("\n").splitlines()]


def matches(pattern, line, whole=True):
    """Does a line match a pattern, in which * stands for any text?"""
    regex = re.escape(" ".join(pattern.split())).replace(r"\*", ".*")
    return re.fullmatch(regex if whole else f".*{regex}.*", line, re.S)


def facts(table):
    """Give a test the values of a table, one by one; its keys are sentences, and names of rows."""
    return pytest.mark.parametrize("fact", list(table.values()), ids=list(table))


def checks(fixture, table, command=""):
    """Make a test that checks each row of a table on a host; rows are arguments of Host.check."""
    @facts(table)
    def test(request, fact):
        change, words, *expected = fact
        request.getfixturevalue(fixture).check(change, command + words, *expected)
    return test

def same(host):
    """Change nothing of a host."""
    return host

ABSENT = "absent"       # of a name that JSON lacks

def part(value, pointer):
    """Return a part of JSON by a JSON Pointer, whose * stands for each element of a list."""
    name, _, rest = pointer.partition("/")
    if not name:
        return value
    if name == "*":
        return [part(each, rest) for each in value]
    if isinstance(value, list):
        return part(value[int(name)], rest)
    return part(value[name], rest) if name in value else ABSENT


class Result:
    """The exit status and the output of pmonctl. `raw` is a terminal's input with its escapes."""

    def __init__(self, status, out, err, raw=""):
        self.status, self.out, self.err, self.raw = status, out, err, raw

    def __repr__(self):
        return f"status {self.status}\n--- output\n{self.out}--- errors\n{self.err}"

    @property
    def lines(self):
        return squeezed(self.out)

    def json(self):
        return json.loads(self.out)

    def json_lines(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def shows(self, *expected):
        """Assert that some line matches each pattern, and none a pattern that begins with "!".

        A dictionary has rows of the table of bandwidth, or parts of JSON by their pointers. A list has heads
        of columns of another table, and the rows.
        """
        __tracebackhide__ = True
        for each in expected:
            if isinstance(each, dict):
                found = {name: part(self.json(), name) if self.out[:1] == "{" else self.rates().get(name) for name in each}
                assert found == each, f"{found}, not {each}"
            elif isinstance(each, list):
                assert self.table(*each[0]) == each[1:], f"not {each[1:]} in\n{self.out}"
        return self.matches([each for each in expected if isinstance(each, str)], self.out)

    def lacks(self, *patterns):
        """Assert that no line matches any of the patterns."""
        __tracebackhide__ = True
        return self.shows(*("!" + pattern for pattern in patterns))

    def matches(self, patterns, text, whole=True):
        """Assert that patterns match lines, or parts of lines."""
        __tracebackhide__ = True
        for pattern in patterns:
            found = any(matches(pattern.removeprefix("!"), line, whole) for line in squeezed(text))
            assert found != (pattern[:1] == "!"), f"{'no' if pattern[:1] != '!' else 'a'} line {pattern!r} in\n{text}"
        return self

    def records(self, *heads):
        """Return the rows of the table that has these columns, as dictionaries."""
        found, names = [], None
        for line in self.out.splitlines():
            cells = re.split(r"  +", line.strip())
            if names and len(cells) != len(names):
                break
            if names:
                found.append(dict(zip(names, cells)))
            elif set(heads) <= set(cells):
                names = cells
        assert names, f"no table with {heads} in\n{self.out}"
        return found

    def table(self, *heads):
        """Return these columns of the table that has them, as a list of tuples."""
        return [tuple(record[head] for head in heads) for record in self.records(*heads)]

    def rates(self):
        """Return the table of bandwidth as {"KIND SOCKET [node NODE] [BOX]": "READ WRITE TOTAL"}."""
        rates = {}
        for record in self.records("KIND", "SOCKET", "READ MB/s"):
            node = record.get("NODE", "-")
            name = [record["KIND"], record["SOCKET"], *([] if node == "-" else ["node", node]),
                    *([record["BOX"]] if "BOX" in record else [])]
            rates[" ".join(name)] = " ".join(record[way + " MB/s"] for way in ("READ", "WRITE", "TOTAL"))
        return rates
