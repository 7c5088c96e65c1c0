/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_ASM_BYTEORDER_H
#define HOST_ASM_BYTEORDER_H

#include <endian.h>

#define le16_to_cpu(v) le16toh(v)
#define le32_to_cpu(v) le32toh(v)
#define le64_to_cpu(v) ((u64)le64toh(v))
#define cpu_to_le16(v) htole16(v)
#define cpu_to_le32(v) htole32(v)
#define cpu_to_le64(v) ((u64)htole64(v))
#define be16_to_cpu(v) be16toh(v)
#define be32_to_cpu(v) be32toh(v)
#define be64_to_cpu(v) ((u64)be64toh(v))
#define cpu_to_be16(v) htobe16(v)
#define cpu_to_be32(v) htobe32(v)
#define cpu_to_be64(v) ((u64)htobe64(v))

#endif
