// SPDX-License-Identifier: GPL-2.0-only
/*
 * modules.c - what is mapped executable in a process.
 *
 * The search table of the unwind information is taken from memory, as the
 * program's own unwinder does: so it is there for the vDSO and for a file that
 * has been deleted. Files that have none (static programs) are read.
 */
#include "modules.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols.h"
#include "tracee.h"

struct modules {
	struct module_text *text;
	unsigned int nr_text;
	struct module **module;
	unsigned int nr_module;
};

struct symbols *module_symbols(struct module *m)
{
	if (!m->opened && *m->path == '/')
		m->syms = symbols_open(m->path);
	m->opened = true;
	return m->syms;
}

/* ---- one module ----------------------------------------------------------------- */

/* The layout that binutils and lld write. */
struct search_table {
	unsigned char version, ptr_enc, count_enc, table_enc;
	int eh_frame;
	unsigned int count;
};

static void table_in_memory(struct module *m, int mem, unsigned long at)
{
	struct search_table t;

	if (pread(mem, &t, sizeof(t), at) != sizeof(t) || t.version != 1 ||
	    t.count_enc != 0x03 || t.table_enc != 0x3b)
		return;
	m->base = at;
	m->table_addr = at + sizeof(t);
	m->nr_table = t.count;
}

static void table_of_file(struct module *m, unsigned long bias)
{
	struct symbol_frame *f;
	unsigned int i, nr;

	f = module_symbols(m) ? symbols_frames(m->syms, &nr) : NULL;
	if (f && nr)
		m->table = malloc(nr * 2 * sizeof(*m->table));
	if (m->table) {
		m->nr_table = nr;
		m->base = f[0].start + bias;
	}
	for (i = 0; i < m->nr_table; i++) {
		m->table[2 * i] = f[i].start - f[0].start;
		m->table[2 * i + 1] = f[i].fde - f[0].start;
	}
	free(f);
}

/* `start` is where its ELF header is mapped. */
static void find_table(struct module *m, int mem, unsigned long start)
{
	unsigned long bias = start, hdr = 0;
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	unsigned int i;

	if (pread(mem, &eh, sizeof(eh), start) != sizeof(eh) ||
	    memcmp(eh.e_ident, ELFMAG, SELFMAG))
		return;
	for (i = 0; i < eh.e_phnum; i++) {
		if (pread(mem, &ph, sizeof(ph),
			  start + eh.e_phoff + i * sizeof(ph)) != sizeof(ph))
			return;
		if (ph.p_type == PT_LOAD && !ph.p_offset)
			bias = start - ph.p_vaddr;
		if (ph.p_type == PT_GNU_EH_FRAME)
			hdr = ph.p_vaddr;
	}
	if (hdr)
		table_in_memory(m, mem, bias + hdr);
	else
		table_of_file(m, bias);
}

static struct module *module_new(struct modules *all, const char *path)
{
	struct module *m = calloc(1, sizeof(*m)), **bigger;

	bigger = realloc(all->module, (all->nr_module + 1) * sizeof(*bigger));
	if (bigger)
		all->module = bigger;
	if (!m || !bigger) {
		free(m);
		return NULL;
	}
	m->path = strdup(path);
	bigger[all->nr_module++] = m;
	return m;
}

/* ---- all of them ---------------------------------------------------------------- */

static bool add_text(struct modules *all, const struct live_map *map,
		     struct module *m)
{
	struct module_text *bigger;

	bigger = realloc(all->text, (all->nr_text + 1) * sizeof(*bigger));
	if (!bigger)
		return false;
	all->text = bigger;
	bigger[all->nr_text++] = (struct module_text){ map->start, map->end,
						       map->off, map->ino, m };
	return true;
}

struct modules *modules_read(pid_t tid, int mem)
{
	struct modules *all = calloc(1, sizeof(*all));
	FILE *maps = live_map_open(tid);
	struct module *m = NULL;
	struct live_map map;
	/* The header of the file whose mappings follow. */
	static struct live_map header;
	bool ok = all, of_file;

	header.path[0] = '\0';
	while (maps && ok && live_map_next(maps, &map)) {
		if (*map.path && !map.off) {
			m = NULL;
			header = map;
		}
		if (map.perms[2] != 'x')
			continue;
		of_file = *map.path && !strcmp(map.path, header.path);
		if (of_file && !m) {
			m = module_new(all, map.path);
			if (m)
				find_table(m, mem, header.start);
		}
		ok = add_text(all, &map, of_file ? m : NULL);
	}
	if (maps)
		fclose(maps);
	if (!ok && all) {
		modules_free(all);
		all = NULL;
	}
	return all;
}

bool modules_current(const struct modules *all, pid_t tid)
{
	const struct module_text *t = all->text, *end = t + all->nr_text;
	FILE *maps = live_map_open(tid);
	struct live_map map;
	bool same = maps;

	while (same && live_map_next(maps, &map)) {
		if (map.perms[2] != 'x')
			continue;
		same = t < end && t->start == map.start && t->end == map.end &&
		       t->off == map.off && t->ino == map.ino &&
		       (!t->module || !strcmp(t->module->path, map.path));
		t++;
	}
	if (maps)
		fclose(maps);
	return same && t == end;
}

void modules_free(struct modules *all)
{
	struct module *m;

	while (all->nr_module) {
		m = all->module[--all->nr_module];
		if (m->syms)
			symbols_close(m->syms);
		free((char *)m->path);
		free(m->table);
		free(m);
	}
	free(all->module);
	free(all->text);
	free(all);
}

const struct module_text *modules_find(const struct modules *m,
				       unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < m->nr_text; i++)
		if (m->text[i].start <= addr && addr < m->text[i].end)
			return &m->text[i];
	return NULL;
}
