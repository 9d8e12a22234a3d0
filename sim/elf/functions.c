// SPDX-License-Identifier: GPL-2.0-only
/*
 * functions.c - where the machine code of a file's functions is.
 *
 * Told by the symbol tables and, as stripped files keep it, by the unwind
 * information: by its search table (.eh_frame_hdr of the Linux Standard Base)
 * or, if it has none, itself.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_file.h"

struct list {
	struct symbol_text *item;
	unsigned int nr;
};

static bool add(struct list *l, const char *name, unsigned long addr,
		unsigned long offset, unsigned long size)
{
	struct symbol_text *bigger;

	if (!(l->nr & (l->nr - 1))) {
		bigger = realloc(l->item,
				 (l->nr ? 2 * l->nr : 1) * sizeof(*bigger));
		if (!bigger)
			return false;
		l->item = bigger;
	}
	l->item[l->nr++] = (struct symbol_text){ name, addr, offset, size };
	return true;
}

/* ---- the unwind table --------------------------------------------------------- */

/* The one layout that binutils and lld write for x86-64. */
struct eh_frame_hdr {
	unsigned char version, ptr_enc, count_enc, table_enc;
	int eh_frame;
	unsigned int count;
};

struct eh_frame_entry {
	int start, fde; /* from the address of the header */
};

struct fde {
	unsigned int length, cie;
	int start; /* from its own address */
	unsigned int size;
};

static bool read_addr(struct symbols *s, unsigned long addr, void *to, size_t n)
{
	const GElf_Phdr *seg;
	GElf_Phdr ph;

	seg = elf_segment(s->elf, addr, 0, &ph);
	return seg && pread(s->fd, to, n,
			    addr - seg->p_vaddr + seg->p_offset) == (ssize_t)n;
}

static bool add_code(struct symbols *s, struct list *l, unsigned long start,
		     unsigned long size)
{
	const GElf_Phdr *seg;
	GElf_Phdr ph;

	seg = elf_segment(s->elf, start, 0, &ph);
	return !seg || !(seg->p_flags & PF_X) ||
	       add(l, NULL, start, start - seg->p_vaddr + seg->p_offset, size);
}

static bool add_unwound(struct symbols *s, struct list *l, unsigned long at)
{
	struct eh_frame_entry e;
	struct eh_frame_hdr hdr;
	unsigned long start;
	unsigned int i;
	struct fde fde;

	if (!read_addr(s, at, &hdr, sizeof(hdr)) || hdr.version != 1 ||
	    hdr.count_enc != 0x03 || hdr.table_enc != 0x3b)
		return true;
	for (i = 0; i < hdr.count; i++) {
		if (!read_addr(s, at + sizeof(hdr) + i * sizeof(e), &e,
			       sizeof(e)) ||
		    !read_addr(s, at + e.fde, &fde, sizeof(fde)))
			break;
		start = at + e.start;
		/* Otherwise start and size are written in another way. */
		if (at + e.fde + offsetof(struct fde, start) + fde.start !=
		    start)
			continue;
		if (!add_code(s, l, start, fde.size))
			return false;
	}
	return true;
}

/* Without a table, as static programs are. */
static bool add_frames(struct symbols *s, struct list *l)
{
	struct symbol_frame *f;
	bool ok = true;
	unsigned int i, nr;

	f = symbols_frames(s, &nr);
	for (i = 0; f && ok && i < nr; i++)
		ok = add_code(s, l, f[i].start, f[i].size);
	free(f);
	return f && ok;
}

static bool add_all(struct symbols *s, struct list *l)
{
	size_t i, n;
	GElf_Phdr ph;

	for (i = 0; i < s->nr; i++)
		if (s->sym[i].code && s->sym[i].func &&
		    !add(l, s->sym[i].name, s->sym[i].addr, s->sym[i].offset,
			 s->sym[i].size))
			return false;
	if (elf_getphdrnum(s->elf, &n))
		return true;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(s->elf, i, &ph) &&
		    ph.p_type == PT_GNU_EH_FRAME)
			return add_unwound(s, l, ph.p_vaddr);
	return add_frames(s, l);
}

/* ---- put in order ---------------------------------------------------------------- */

/* By place; the longest first, and the one that has a name. */
static int compare(const void *a, const void *b)
{
	const struct symbol_text *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (!x->name || !y->name)
		return !x->name - !y->name;
	return elf_plainer(x->name, y->name);
}

static void merge(struct list *l)
{
	struct symbol_text *last, *item;
	unsigned int i, kept = 0;

	for (i = 0; i < l->nr; i++) {
		item = &l->item[i];
		last = kept ? &l->item[kept - 1] : NULL;
		if (!last || last->offset != item->offset)
			l->item[kept++] = *item;
		else if (!last->name)
			last->name = item->name;
	}
	l->nr = kept;
}

/* A size that nobody tells ends at the next function or with the section. */
static void fill_sizes(struct symbols *s, struct list *l)
{
	unsigned long end;
	unsigned int i;
	GElf_Shdr sh;

	for (i = 0; i < l->nr; i++) {
		struct symbol_text *t = &l->item[i];
		Elf_Scn *scn = NULL;

		if (t->size)
			continue;
		end = i + 1 < l->nr ? l->item[i + 1].offset : ~0ul;
		while ((scn = elf_nextscn(s->elf, scn)))
			if (gelf_getshdr(scn, &sh) &&
			    sh.sh_type == SHT_PROGBITS &&
			    t->addr >= sh.sh_addr &&
			    t->addr - sh.sh_addr < sh.sh_size &&
			    t->offset + sh.sh_size - (t->addr - sh.sh_addr) <
				    end)
				end = t->offset + sh.sh_size -
				      (t->addr - sh.sh_addr);
		t->size = end == ~0ul ? 0 : end - t->offset;
	}
}

const struct symbol_text *symbols_functions(struct symbols *s, unsigned int *nr)
{
	struct list l = { 0 };

	if (s->text) {
		*nr = s->nr_text;
		return s->text;
	}
	/* Never NULL for none. */
	l.item = malloc(sizeof(*l.item));
	if (!l.item || !add_all(s, &l)) {
		free(l.item);
		return NULL;
	}
	qsort(l.item, l.nr, sizeof(*l.item), compare);
	merge(&l);
	fill_sizes(s, &l);
	s->text = l.item;
	*nr = s->nr_text = l.nr;
	return s->text;
}

bool symbols_function_at(struct symbols *s, unsigned long offset,
			 struct symbol_text *out)
{
	const struct symbol_text *text;
	unsigned int i, nr;

	text = symbols_functions(s, &nr);
	for (i = text ? nr : 0; i-- > 0;) {
		if (text[i].offset > offset ||
		    offset - text[i].offset >= text[i].size)
			continue;
		*out = text[i];
		return true;
	}
	return false;
}
