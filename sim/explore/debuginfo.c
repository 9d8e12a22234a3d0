// SPDX-License-Identifier: GPL-2.0-only
/*
 * debuginfo->c - questions to the running program's own DWARF, through libdw.
 *
 * One walk over all units indexes the types by name and the variables by
 * address; everything else is looked up when asked.
 */
#include "debuginfo.h"

#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct type_entry {
	const char *name;
	Dwarf_Off die;
};

static struct {
	bool tried;
	Dwarf *dwarf;
	struct type_entry *type;
	size_t nr_types;
	struct debuginfo_global *global;
	size_t nr_globals;
} info;

static void *grow(void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	array = reallocarray(array, nr ? nr * 2 : 1, size);
	if (!array)
		abort();
	return array;
}

bool debuginfo_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) &&
	       dwarf_formref_die(&attr, type) && !dwarf_peel_type(type, type);
}

static void add_type(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (!name || dwarf_hasattr(die, DW_AT_declaration))
		return;
	info.type = grow(info.type, info.nr_types, sizeof(*info.type));
	info.type[info.nr_types++] =
		(struct type_entry){ name, dwarf_dieoffset(die) };
}

static void add_variable(Dwarf_Die *die)
{
	struct debuginfo_global g = { .name = dwarf_diename(die) };
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n;

	if (!g.name || !dwarf_attr(die, DW_AT_location, &attr) ||
	    dwarf_getlocation(&attr, &op, &n) || n != 1 ||
	    op[0].atom != DW_OP_addr || !debuginfo_type_of(die, &g.type))
		return;
	g.base = op[0].number;
	g.size = debuginfo_size(&g.type);
	if (!g.base || !g.size)
		return;
	info.global = grow(info.global, info.nr_globals, sizeof(g));
	info.global[info.nr_globals++] = g;
}

static void walk(Dwarf_Die *die)
{
	Dwarf_Die child;

	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_typedef:
		add_type(die);
		return;
	case DW_TAG_variable:
		add_variable(die);
		return;
	case DW_TAG_compile_unit:
	case DW_TAG_subprogram: /* static variables of functions */
	case DW_TAG_lexical_block:
		break;
	default:
		return;
	}
	if (dwarf_child(die, &child))
		return;
	do
		walk(&child);
	while (!dwarf_siblingof(&child, &child));
}

static int by_name(const void *a, const void *b)
{
	const struct type_entry *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : (x->die > y->die) - (x->die < y->die);
}

static int by_base(const void *a, const void *b)
{
	const struct debuginfo_global *x = a, *y = b;

	return (x->base > y->base) - (x->base < y->base);
}

static bool load(void)
{
	Dwarf_Off next, off = 0;
	size_t header;
	Dwarf_Die unit;
	int fd;

	if (info.tried)
		return info.dwarf;
	info.tried = true;
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	info.dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (!info.dwarf) {
		close(fd);
		return false;
	}
	while (!dwarf_nextcu(info.dwarf, off, &next, &header, NULL, NULL,
			     NULL)) {
		if (dwarf_offdie(info.dwarf, off + header, &unit))
			walk(&unit);
		off = next;
	}
	if (info.nr_types)
		qsort(info.type, info.nr_types, sizeof(*info.type), by_name);
	if (info.nr_globals)
		qsort(info.global, info.nr_globals, sizeof(*info.global),
		      by_base);
	return true;
}

size_t debuginfo_size(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) ? 0 : size;
}

/* "struct thing" names a structure; "thing_t" a typedef. */
bool debuginfo_type(const char *name, Dwarf_Die *type)
{
	int tag = DW_TAG_typedef;
	size_t low = 0, high;

	if (!load())
		return false;
	if (!strncmp(name, "struct ", 7))
		tag = DW_TAG_structure_type, name += 7;
	else if (!strncmp(name, "union ", 6))
		tag = DW_TAG_union_type, name += 6;
	high = info.nr_types;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(info.type[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < info.nr_types && !strcmp(info.type[low].name, name);
	     low++) {
		if (dwarf_offdie(info.dwarf, info.type[low].die, type) &&
		    dwarf_tag(type) == tag)
			return !dwarf_peel_type(type, type);
	}
	return false;
}

bool debuginfo_global(uintptr_t addr, struct debuginfo_global *out)
{
	size_t low = 0, high;

	if (!load())
		return false;
	high = info.nr_globals;
	while (low < high) { /* first that begins after addr */
		size_t mid = low + (high - low) / 2;

		if (info.global[mid].base <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low ||
	    addr - info.global[low - 1].base >= info.global[low - 1].size)
		return false;
	*out = info.global[low - 1];
	return true;
}

static const char *call_site(Dwarf_Die *unit, Dwarf_Die *inlined, int *line)
{
	Dwarf_Attribute attr;
	Dwarf_Word file, n;
	Dwarf_Files *files;
	size_t nr;

	if (!dwarf_attr(inlined, DW_AT_call_line, &attr) ||
	    dwarf_formudata(&attr, &n))
		return NULL;
	*line = n;
	if (!dwarf_attr(inlined, DW_AT_call_file, &attr) ||
	    dwarf_formudata(&attr, &file) ||
	    dwarf_getsrcfiles(unit, &files, &nr))
		return NULL;
	return dwarf_filesrc(files, file, NULL, NULL);
}

/*
 * A compiler may have been given relative names (by ccache, say). The result
 * is never freed: whoever is visited may keep it.
 */
static const char *absolute(Dwarf_Die *unit, const char *name)
{
	Dwarf_Attribute attr;
	const char *dir;
	char *path = NULL, *full;

	dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
	if (*name == '/' || !dir || asprintf(&path, "%s/%s", dir, name) < 0)
		return name;
	full = realpath(path, NULL);
	free(path);
	return full ? full : name;
}

/* A file of Trapline's own, named from where it was built, has one name. */
static const char *own_file(Dwarf_Die *unit, const char *name)
{
	size_t n = strlen(TRAPLINE_SOURCE_DIR);
	const char *full;

	if (!name || strncmp(name, "../", 3))
		return name;
	full = absolute(unit, name);
	return strncmp(full, TRAPLINE_SOURCE_DIR, n) ? name : full;
}

int debuginfo_frames(uintptr_t pc, struct debuginfo_frame *frame, int max)
{
	struct debuginfo_frame at = { 0 };
	Dwarf_Die unit, *scopes = NULL, innermost;
	Dwarf_Line *src;
	int n = 0, nr;

	if (!load() || !dwarf_addrdie(info.dwarf, pc, &unit))
		return 0;
	src = dwarf_getsrc_die(&unit, pc);
	if (src) {
		at.file = dwarf_linesrc(src, NULL, NULL);
		dwarf_lineno(src, &at.line);
	}
	/* Around an inlined function this lists where it was defined ... */
	nr = dwarf_getscopes(&unit, pc, &scopes);
	if (nr > 0) {
		innermost = scopes[0];
		free(scopes);
		/* ... and this, where it was called. */
		nr = dwarf_getscopes_die(&innermost, &scopes);
	}
	for (int i = 0; i < nr && n < max; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_inlined_subroutine &&
		    tag != DW_TAG_subprogram)
			continue;
		at.function = dwarf_diename(&scopes[i]);
		frame[n] = at;
		frame[n++].file = own_file(&unit, at.file);
		if (tag == DW_TAG_subprogram)
			break;
		at.line = 0;
		at.file = call_site(&unit, &scopes[i], &at.line);
	}
	free(scopes);
	return n;
}

bool debuginfo_place(uintptr_t pc, struct debuginfo_place *at)
{
	static const char *last,
		*full; /* code comes in order: one file for long */
	const char *name;
	Dwarf_Line *src;
	Dwarf_Die unit;

	*at = (struct debuginfo_place){ 0 };
	if (!load() || !dwarf_addrdie(info.dwarf, pc, &unit))
		return false;
	src = dwarf_getsrc_die(&unit, pc);
	if (!src)
		return false;
	name = dwarf_linesrc(src, NULL, NULL);
	if (name && name != last) {
		last = name;
		full = absolute(&unit, name);
	}
	at->file = name ? full : NULL;
	return at->file && !dwarf_lineno(src, &at->line) &&
	       !dwarf_linecol(src, &at->column);
}

const char *debuginfo_entry(uintptr_t pc)
{
	const char *name = NULL;
	Dwarf_Die unit, *scopes = NULL;
	Dwarf_Addr entry;
	int nr;

	if (!load() || !dwarf_addrdie(info.dwarf, pc, &unit))
		return NULL;
	nr = dwarf_getscopes(&unit, pc, &scopes);
	for (int i = 0; i < nr && !name; i++) {
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram &&
		    !dwarf_entrypc(&scopes[i], &entry) && entry == pc)
			name = dwarf_diename(&scopes[i]);
	}
	free(scopes);
	return name;
}

struct visit {
	void (*fn)(void *arg, const struct debuginfo_function *f);
	void *arg;
	const char *unit; /* the file that was compiled, as the compiler says */
	const char *file; /* the same for everybody */
};

static bool ends_in(const char *path, const char *end)
{
	size_t n = strlen(path), m;

	end += strncmp(end, "./", 2) ? 0 : 2;
	m = strlen(end);
	return n >= m && !strcmp(path + n - m, end);
}

static int visit_function(Dwarf_Die *die, void *arg)
{
	const struct visit *visit = arg;
	struct debuginfo_function f = { .name = dwarf_diename(die),
					.file = visit->file };
	const char *file = dwarf_decl_file(die);
	Dwarf_Addr low, high;

	if (!f.name || !file || !ends_in(file, visit->unit) ||
	    dwarf_lowpc(die, &low) || dwarf_highpc(die, &high))
		return DWARF_CB_OK;
	f.low = low;
	f.high = high;
	visit->fn(visit->arg, &f);
	return DWARF_CB_OK;
}

void debuginfo_functions(void (*fn)(void *arg,
				    const struct debuginfo_function *f),
			 void *arg)
{
	struct visit visit = { fn, arg, NULL, NULL };
	Dwarf_Off next, off = 0;
	size_t header;
	Dwarf_Die unit;

	if (!load())
		return;
	while (!dwarf_nextcu(info.dwarf, off, &next, &header, NULL, NULL,
			     NULL)) {
		if (dwarf_offdie(info.dwarf, off + header, &unit) &&
		    (visit.unit = dwarf_diename(&unit))) {
			visit.file = absolute(&unit, visit.unit);
			dwarf_getfuncs(&unit, visit_function, &visit, 0);
		}
		off = next;
	}
}
