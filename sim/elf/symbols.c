// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbols.c - functions of an ELF file, with libelf.
 */
#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_file.h"

#define VERSION_HIDDEN 0x8000

/* ---- reading --------------------------------------------------------------- */

const GElf_Phdr *elf_segment(Elf *elf, unsigned long at, unsigned int flag,
			     GElf_Phdr *ph)
{
	unsigned long start;
	size_t i, n;

	if (elf_getphdrnum(elf, &n))
		return NULL;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, ph) || ph->p_type != PT_LOAD)
			continue;
		start = flag ? ph->p_offset : ph->p_vaddr;
		/* Text may lie in the pages of two segments. */
		if (at >= start && at - start < ph->p_filesz &&
		    (!flag || ph->p_flags & flag))
			return ph;
	}
	return NULL;
}

static bool add(struct symbols *s, const GElf_Sym *sym, const char *name)
{
	int type = GELF_ST_TYPE(sym->st_info);
	struct symbol *bigger, *to;
	const GElf_Phdr *seg;
	GElf_Phdr ph;

	if (!(s->nr & (s->nr - 1))) {
		bigger = realloc(s->sym,
				 (s->nr ? 2 * s->nr : 1) * sizeof(*bigger));
		if (!bigger)
			return false;
		s->sym = bigger;
	}
	seg = elf_segment(s->elf, sym->st_value, 0, &ph);
	to = &s->sym[s->nr++];
	*to = (struct symbol){
		.name = name,
		.addr = sym->st_value,
		.size = sym->st_size,
		.offset = seg ? sym->st_value - seg->p_vaddr + seg->p_offset
			      : ~0ul,
		.code = seg && seg->p_flags & PF_X,
		.func = type == STT_FUNC || type == STT_GNU_IFUNC,
		.ifunc = type == STT_GNU_IFUNC,
	};
	return true;
}

static bool wanted(const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return sym->st_shndx != SHN_UNDEF && sym->st_value &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC ||
		type == STT_NOTYPE || type == STT_OBJECT);
}

/* Symbols of one table whose version is the default one, or the others. */
static bool read_table(struct symbols *s, Elf *elf, Elf_Scn *scn,
		       const GElf_Shdr *sh, Elf_Data *versions, bool hidden)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t i, n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	GElf_Versym version;
	const char *name;
	GElf_Sym sym;
	bool is_hidden;

	for (i = 1; data && i < n; i++) {
		if (!gelf_getsym(data, i, &sym) || !wanted(&sym))
			continue;
		is_hidden = versions && sh->sh_type == SHT_DYNSYM &&
			    gelf_getversym(versions, i, &version) &&
			    version & VERSION_HIDDEN;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (is_hidden != hidden || !name || !*name)
			continue;
		if (!add(s, &sym, name))
			return false;
	}
	return true;
}

static bool read_tables(struct symbols *s, bool hidden)
{
	Elf_Data *versions = NULL;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(s->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_GNU_versym)
			versions = elf_getdata(scn, NULL);
	while ((scn = elf_nextscn(s->elf, scn)))
		if (gelf_getshdr(scn, &sh) &&
		    (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM) &&
		    !read_table(s, s->elf, scn, &sh, versions, hidden))
			return false;
	return true;
}

void symbols_add_debug(struct symbols *s)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	s->debug = elf_debug_file(s->elf, &s->debug_fd);
	while (s->debug && (scn = elf_nextscn(s->debug, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB &&
		    !read_table(s, s->debug, scn, &sh, NULL, false))
			return;
}

/* Any processor, or the one that is given. */
static struct symbols *open_for(const char *path, unsigned int machine)
{
	struct symbols *s = calloc(1, sizeof(*s));
	int err = ENOMEM;
	GElf_Ehdr eh;

	if (!s)
		return NULL;
	s->debug_fd = -1;
	/* A pipe that nobody writes into is not waited for. */
	s->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (s->fd < 0 || fstat(s->fd, &s->st)) {
		err = errno;
		goto fail;
	}
	if (!S_ISREG(s->st.st_mode)) {
		err = EINVAL;
		goto fail;
	}
	elf_version(EV_CURRENT);
	s->elf = elf_begin(s->fd, ELF_C_READ_MMAP, NULL);
	if (!gelf_getehdr(s->elf, &eh)) {
		err = ENOEXEC;
		goto fail;
	}
	s->machine = eh.e_machine;
	if (gelf_getclass(s->elf) == ELFCLASS32) {
		err = ENOTSUP;
		goto fail;
	}
	if (machine && eh.e_machine != machine) {
		err = EXDEV;
		goto fail;
	}
	if (eh.e_type == ET_REL) {
		err = ENOLINK;
		goto fail;
	}
	/* Default versions first: symbols_find takes the first. */
	if (!read_tables(s, false) || !read_tables(s, true))
		goto fail;
	return s;
fail:
	symbols_close(s);
	errno = err;
	return NULL;
}

struct symbols *symbols_open(const char *path)
{
#ifdef __aarch64__
	return open_for(path, EM_AARCH64);
#else
	return open_for(path, EM_X86_64);
#endif
}

struct symbols *symbols_open_any(const char *path)
{
	return open_for(path, EM_NONE);
}

unsigned int symbols_machine(const struct symbols *s)
{
	return s->machine;
}

unsigned int symbols_machine_of(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	unsigned int machine = EM_NONE;
	GElf_Ehdr eh;
	Elf *elf;

	if (fd < 0)
		return EM_NONE;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (gelf_getehdr(elf, &eh))
		machine = eh.e_machine;
	elf_end(elf);
	close(fd);
	return machine;
}

void symbols_close(struct symbols *s)
{
	if (s->cfi)
		dwarf_cfi_end(s->cfi);
	if (s->elf)
		elf_end(s->elf);
	if (s->debug)
		elf_end(s->debug);
	if (s->debug_fd >= 0)
		close(s->debug_fd);
	if (s->fd >= 0)
		close(s->fd);
	free(s->sym);
	free(s->text);
	free(s);
}

/* ---- asking ----------------------------------------------------------------- */

bool symbols_find(struct symbols *s, const char *name, struct symbol *out)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		if (strcmp(s->sym[i].name, name))
			continue;
		*out = s->sym[i];
		return true;
	}
	return false;
}

/* Edit distance, or `limit` if it is not less. */
static unsigned int distance(const char *a, const char *b, unsigned int limit)
{
	unsigned char row[64];
	size_t i, j, na = strlen(a), nb = strlen(b);
	unsigned int diagonal, above, best;

	if (na >= sizeof(row) || nb >= sizeof(row) ||
	    (na > nb ? na - nb : nb - na) >= limit)
		return limit;
	for (j = 0; j <= nb; j++)
		row[j] = j;
	for (i = 1; i <= na; i++) {
		diagonal = row[0];
		row[0] = i;
		for (j = 1; j <= nb; j++) {
			above = row[j];
			best = diagonal + (a[i - 1] != b[j - 1]);
			if (above + 1 < best)
				best = above + 1;
			if (row[j - 1] + 1u < best)
				best = row[j - 1] + 1;
			row[j] = best;
			diagonal = above;
		}
	}
	return row[nb] < limit ? row[nb] : limit;
}

const char *symbols_nearest(struct symbols *s, const char *name)
{
	unsigned int i, d, best = strlen(name) / 3 + 2;
	const char *nearest = NULL;

	for (i = 0; i < s->nr; i++) {
		if (!s->sym[i].code)
			continue;
		d = distance(name, s->sym[i].name, best);
		if (d >= best)
			continue;
		best = d;
		nearest = s->sym[i].name;
	}
	return nearest;
}

bool symbols_executable(struct symbols *s, unsigned long offset)
{
	GElf_Phdr ph;

	return elf_segment(s->elf, offset, PF_X, &ph);
}

bool symbols_writable(struct symbols *s, unsigned long offset)
{
	GElf_Phdr ph;

	return elf_segment(s->elf, offset, PF_W, &ph);
}

long symbols_read(struct symbols *s, unsigned long offset, void *to,
		  unsigned long n)
{
	return pread(s->fd, to, n, offset);
}

unsigned long symbols_entry(struct symbols *s)
{
	const GElf_Phdr *seg;
	GElf_Ehdr eh;
	GElf_Phdr ph;

	if (!gelf_getehdr(s->elf, &eh) || !eh.e_entry)
		return ~0ul;
	seg = elf_segment(s->elf, eh.e_entry, 0, &ph);
	return seg ? eh.e_entry - seg->p_vaddr + seg->p_offset : ~0ul;
}

/* ---- indirect functions -------------------------------------------------------- */

bool symbols_implementation(struct symbols *s, const char *name,
			    unsigned long *offset)
{
	char link[64], path[PATH_MAX];
	struct link_map *map;
	const GElf_Phdr *seg;
	struct stat st;
	GElf_Phdr ph;
	void *lib, *fn;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", s->fd);
	if (!realpath(link, path))
		return false;
	/* Never load anything: that would run it. */
	lib = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	if (!lib)
		return false;
	fn = dlsym(lib, name);
	if (!fn || dlinfo(lib, RTLD_DI_LINKMAP, &map) ||
	    stat(map->l_name, &st) || st.st_dev != s->st.st_dev ||
	    st.st_ino != s->st.st_ino) {
		dlclose(lib);
		return false;
	}
	seg = elf_segment(s->elf, (unsigned long)fn - map->l_addr, 0, &ph);
	if (seg)
		*offset = (unsigned long)fn - map->l_addr - seg->p_vaddr +
			  seg->p_offset;
	dlclose(lib);
	return seg;
}
