/* SPDX-License-Identifier: GPL-2.0-only */
/* Declare the commands of the bench. */
#ifndef HW_MISC_PMON_BENCH_H
#define HW_MISC_PMON_BENCH_H

/* @word: words after the name (devices, limits, cxl: all words); false: unknown. */
bool pmon_bench_count(char **word, GString *out);
bool pmon_bench_illegal(char **word, GString *out);
bool pmon_bench_truth(char **word, GString *out);
bool pmon_bench_units(char **word, GString *out);
bool pmon_bench_box(char **word, GString *out);
bool pmon_bench_global(char **word, GString *out);
bool pmon_bench_devices(char **word, GString *out);
bool pmon_bench_limits(char **word, GString *out);
bool pmon_bench_agenda(char **word, GString *out);
bool pmon_bench_cxl(char **word, GString *out);
void pmon_bench_reset_cpmu_tallies(void);
void pmon_bench_reset_cpmu_truth(void);
void pmon_bench_schedule(const char *text, GString *out);
void pmon_bench_reset_agenda(void);
void pmon_bench_run(const char *command, GString *out);

/* bench_words.c */
bool pmon_bench_number(const char *text, uint64_t *val, GString *out);
bool pmon_bench_of(const struct pmon_unit *u, const char *which);
struct pmon_unit *pmon_bench_unit(const char *text, GString *out);
struct pmon_tpmi *pmon_bench_tpmi(const char **text);
struct pmon_plr *pmon_bench_plr(const char *text, unsigned int *module, GString *out);
char *pmon_bench_plr_name(const struct pmon_dev *d, unsigned int dom);

#endif
