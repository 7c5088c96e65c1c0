/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM pmon

#if !defined(PMON_PLR_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define PMON_PLR_TRACE_H

#include <linux/tracepoint.h>

#include <compat/trace.h>

int plr_trace_reg(void);
void plr_trace_unreg(void);

/*
 * @value: reasons of this interval; @onset: new ones; @ended: reasons of the
 * last interval that have ended, or whose state is unknown now.
 */
TRACE_EVENT_FN(plr_reasons,

	TP_PROTO(u8 package, u8 domain, const char *scope, u8 id, u64 value,
		 u64 onset, u64 ended, const char *new_names,
		 const char *ended_names),

	TP_ARGS(package, domain, scope, id, value, onset, ended, new_names,
		ended_names),

	TP_STRUCT__entry(
		__field(u32, package)
		__field(u32, domain)
		__string(scope, scope)
		__field(u32, module)
		__field(u32, coarse)
		__field(u32, fine)
		__field(u32, new_coarse)
		__field(u32, new_fine)
		__field(u32, ended_coarse)
		__field(u32, ended_fine)
		__string(new_names, new_names)
		__string(ended_names, ended_names)
	),

	TP_fast_assign(
		__entry->package = package;
		__entry->domain = domain;
		compat_assign_str(scope, scope);
		__entry->module = id;
		__entry->coarse = lower_32_bits(value);
		__entry->fine = upper_32_bits(value);
		__entry->new_coarse = lower_32_bits(onset);
		__entry->new_fine = upper_32_bits(onset);
		__entry->ended_coarse = lower_32_bits(ended);
		__entry->ended_fine = upper_32_bits(ended);
		compat_assign_str(new_names, new_names);
		compat_assign_str(ended_names, ended_names);
	),

	TP_printk("package=%u domain=%u scope=%s module=%u coarse=0x%08x fine=0x%08x new_coarse=0x%08x new_fine=0x%08x ended_coarse=0x%08x ended_fine=0x%08x new=%s ended=%s",
		  __entry->package, __entry->domain, __get_str(scope),
		  __entry->module, __entry->coarse, __entry->fine,
		  __entry->new_coarse, __entry->new_fine,
		  __entry->ended_coarse, __entry->ended_fine,
		  __get_str(new_names), __get_str(ended_names)),

	plr_trace_reg, plr_trace_unreg
);

#endif /* PMON_PLR_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
