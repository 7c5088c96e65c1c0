// SPDX-License-Identifier: GPL-2.0-only
#include "utf8.h"

size_t utf8_length(const char *s, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char lead = (unsigned char)*s;
	size_t len;

	if (lead < 0x80)
		len = 1;
	else if (lead >= 0xc0 && lead < 0xf8)
		len = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	else
		return 0;
	*code = len == 1 ? lead : lead & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	if (*code < least[len] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return len;
}

bool utf8_is_hidden(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
		{ 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x61c, 0x61c },
		{ 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
		{ 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb },
		{ 0xe0000, 0xe007f },
	};

	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
		if (code >= hidden[i].first && code <= hidden[i].last)
			return true;
	return false;
}
