/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_STRING_H
#define HOST_LINUX_STRING_H

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include <linux/errno.h>
#include <linux/types.h>

static inline ssize_t strscpy(char *to, const char *from, size_t size)
{
	size_t len = strnlen(from, size);

	if (!size)
		return -E2BIG;
	if (len == size) {
		memcpy(to, from, size - 1);
		to[size - 1] = '\0';
		return -E2BIG;
	}
	memcpy(to, from, len + 1);
	return len;
}

#define memset_startat(obj, v, member)					\
	memset((char *)(obj) + offsetof(typeof(*(obj)), member), v,	\
	       sizeof(*(obj)) - offsetof(typeof(*(obj)), member))

#endif
