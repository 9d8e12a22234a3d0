// SPDX-License-Identifier: GPL-2.0-only
/*
 * names.c - addresses as people call them.
 *
 * The engine knows objects (type, number, extent), debug information knows
 * fields; together they give uprobe#1.consumers.next.
 */
#include "names.h"

#include "debuginfo.h"
#include "explore.h"
#include "fields.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FRAMES 16

/* `struct thing` is called thing; what has no type is called heap. */
static const char *short_type(const char *type)
{
	const char *blank;

	if (!type)
		return "heap";
	blank = strrchr(type, ' ');
	return blank ? blank + 1 : type;
}

/* The variable at addr; of a CPU's own, cpu is its number, else -1. */
static bool global_at(uintptr_t addr, struct debuginfo_global *g, int *cpu)
{
	uintptr_t first = addr;

	*cpu = -1;
	if (!explore_percpu(&first, cpu))
		return debuginfo_global(addr, g);
	if (!debuginfo_global(first, g))
		return false;
	g->base += addr - first;
	return true;
}

/*
 * The type of the object at addr and where in it addr is. *index is the number
 * of the element if several were allocated at once, else -1.
 */
static bool type_at(uintptr_t addr, Dwarf_Die *type, size_t *offset,
		    long *index)
{
	struct debuginfo_global g;
	int cpu;
	struct explore_object o;
	size_t step;

	*index = -1;
	if (!explore_find_object(addr, &o) || o.kind == OBJECT_GLOBAL) {
		if (!global_at(addr, &g, &cpu))
			return false;
		*type = g.type;
		*offset = addr - g.base;
		return true;
	}
	*offset = addr - o.base;
	if (o.kind != OBJECT_HEAP || !o.type || !debuginfo_type(o.type, type))
		return false;
	step = debuginfo_size(type);
	if (step && o.size >= 2 * step) {
		*index = *offset / step;
		*offset %= step;
	}
	return true;
}

static void name_field(FILE *to, uintptr_t addr, unsigned int size,
		       uintptr_t base)
{
	Dwarf_Die type, found;
	size_t offset;
	long index;

	if (type_at(addr, &type, &offset, &index)) {
		if (index >= 0 && (size || addr != base))
			fprintf(to, "[%ld]", index);
		fields_path(to, &type, offset, size, &found);
	} else if (addr != base) {
		fprintf(to, "+%zu", (size_t)(addr - base));
	}
}

static void name(FILE *to, uintptr_t addr, unsigned int size)
{
	struct debuginfo_global g;
	int cpu;
	struct explore_object o;
	bool object = explore_find_object(addr, &o);

	if (!addr) {
		fputs("NULL", to);
	} else if (object && o.kind == OBJECT_STACK) {
		fprintf(to, "%s.stack", explore_thread_name(o.thread));
	} else if (object && o.kind == OBJECT_HEAP) {
		fprintf(to, "%s#%u", short_type(o.type), o.number);
		name_field(to, addr, size, o.base);
	} else if (global_at(addr, &g, &cpu)) {
		fputs(g.name, to);
		if (cpu >= 0)
			fprintf(to, "@%d", cpu);
		name_field(to, addr, size, g.base);
	} else {
		/* Only a wild pointer gets here; its value is the name. */
		fprintf(to, "0x%lx", (unsigned long)addr);
	}
}

/* Each string once. */
static struct {
	char **text;
	size_t nr, room;
} kept;

static const char *keep(char *text)
{
	size_t low = 0, high = kept.nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int c = strcmp(kept.text[mid], text);

		if (!c) {
			free(text);
			return kept.text[mid];
		}
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (kept.nr == kept.room) {
		kept.room = kept.room ? 2 * kept.room : 64;
		kept.text = reallocarray(kept.text, kept.room,
					 sizeof(*kept.text));
		if (!kept.text)
			abort();
	}
	memmove(kept.text + low + 1, kept.text + low,
		(kept.nr - low) * sizeof(*kept.text));
	kept.text[low] = text;
	kept.nr++;
	return text;
}

const char *names_address(uintptr_t addr, unsigned int size)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		abort();
	name(to, addr, size);
	fclose(to);
	return keep(text);
}

const char *names_operand(const struct explore_step *step)
{
	switch (step->op) {
	case OP_CREATE:
	case OP_JOIN:
	case OP_IRQ:
	case OP_IRET:
		return explore_thread_name(step->peer);
	case OP_CALL:
		return names_function(step->pc);
	case OP_FREE:
		return names_address(step->addr, 0);
	default:
		return step->addr ? names_address(step->addr, step->size)
				  : NULL;
	}
}

static const char *enumerator(uintptr_t addr, uint64_t value, unsigned int size)
{
	Dwarf_Die type, found;
	size_t offset;
	long index;

	if (size != 4 || !type_at(addr, &type, &offset, &index) ||
	    !fields_path(NULL, &type, offset, size, &found))
		return NULL;
	return fields_enumerator(&found, value);
}

void names_value(FILE *to, uintptr_t addr, uint64_t value, unsigned int size)
{
	int64_t sign = size == 4 ? (int32_t)value : (int64_t)value;
	const char *name_of = enumerator(addr, value, size);
	struct debuginfo_global g;
	int cpu;
	struct explore_object o;

	if (size == sizeof(void *) && !name_of)
		name_of = debuginfo_entry(value);
	if (name_of)
		fputs(name_of, to);
	else if (value < 4096)
		fprintf(to, "%llu", (unsigned long long)value);
	else if (size >= 4 && sign < 0 && sign >= -4095)
		fprintf(to, "%lld", (long long)sign);
	else if (size == sizeof(void *) &&
		 (explore_find_object(value, &o) || global_at(value, &g, &cpu)))
		fprintf(to, "&%s", names_address(value, 0));
	else
		fprintf(to, "0x%llx", (unsigned long long)value);
}

const char *names_own(const char *function)
{
	return strcmp(function, "trapline_program_main") ? function : "main";
}

const char *names_function(const void *pc)
{
	struct debuginfo_frame frame[MAX_FRAMES];
	int n = debuginfo_frames((uintptr_t)pc - 1, frame, MAX_FRAMES);

	/* The outermost: what the code is inlined into was really called. */
	return n && frame[n - 1].function ? names_own(frame[n - 1].function)
					  : NULL;
}

const char *names_path(const char *path)
{
	size_t n = strlen(TRAPLINE_SOURCE_DIR);

	if (!strncmp(path, TRAPLINE_SOURCE_DIR, n) && path[n] == '/')
		return path + n + 1;
	return strncmp(path, "./", 2) ? path : path + 2;
}

static bool is_plumbing(const struct debuginfo_frame *frame)
{
	static const char *const dirs[] = { "sim/explore/", "sim/base/",
					    "model/linux/include/" };
	const char *path = frame->file ? names_path(frame->file) : "";

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		if (!strncmp(path, dirs[i], strlen(dirs[i])))
			return strcmp(path, "sim/explore/machine.c");
	}
	return false;
}

const char *names_place(const void *pc, int *line)
{
	struct debuginfo_frame frame[MAX_FRAMES];
	int n = debuginfo_frames((uintptr_t)pc - 1, frame, MAX_FRAMES);

	for (int i = 0; i < n; i++) {
		if (!frame[i].file || is_plumbing(&frame[i]))
			continue;
		*line = frame[i].line;
		return frame[i].file;
	}
	return NULL;
}

static void stack_at(FILE *to, const void *pc, int indent)
{
	struct debuginfo_frame frame[MAX_FRAMES];
	int n = debuginfo_frames((uintptr_t)pc - 1, frame, MAX_FRAMES);

	for (int i = 0; i < n; i++) {
		if (!frame[i].function || is_plumbing(&frame[i]))
			continue;
		fprintf(to, "%*s%s", indent, "", names_own(frame[i].function));
		if (frame[i].file)
			fprintf(to, " (%s:%d)", names_path(frame[i].file),
				frame[i].line);
		fputc('\n', to);
	}
}

void names_stack(FILE *to, const struct explore_step *step, int indent)
{
	stack_at(to, step->pc, indent);
	for (unsigned int i = 0; i < step->depth; i++)
		stack_at(to, step->stack[i], indent);
}
