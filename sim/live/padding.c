// SPDX-License-Identifier: GPL-2.0-only
/*
 * padding.c - find room in memory that is mapped, executable and of no use.
 *
 * For programs in which nothing can be mapped. A segment of text ends somewhere
 * in its last page; what the file has behind it in that page is usually zeros,
 * so that the next segment starts with a page of its own.
 */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tracee.h"

#define PAGE 4096ul

/* Where the text that is mapped by `map` ends; map->end if that is not known. */
static unsigned long text_end(const struct live_map *map)
{
	unsigned long end = map->end;
	Elf64_Phdr phdr[32];
	Elf64_Ehdr ehdr;
	int fd = open(map->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), i;

	if (fd < 0)
		return end;
	if (pread(fd, &ehdr, sizeof(ehdr), 0) != sizeof(ehdr) ||
	    memcmp(ehdr.e_ident, ELFMAG, SELFMAG) || ehdr.e_phnum > 32 ||
	    ehdr.e_phentsize != sizeof(*phdr) ||
	    pread(fd, phdr, ehdr.e_phnum * sizeof(*phdr), ehdr.e_phoff) !=
		    (ssize_t)(ehdr.e_phnum * sizeof(*phdr)))
		goto out;
	for (i = 0; i < ehdr.e_phnum; i++)
		if (phdr[i].p_type == PT_LOAD && phdr[i].p_flags & PF_X &&
		    (phdr[i].p_offset & -PAGE) == map->off)
			end = map->start + (phdr[i].p_offset & (PAGE - 1)) +
			      phdr[i].p_memsz;
out:
	close(fd);
	return end;
}

/* The zeros at the end of map, and not before its text's end. */
static unsigned long padding_of(const struct live_map *map, int mem,
				unsigned long align, unsigned long *size)
{
	unsigned char page[PAGE];
	unsigned long text, at = map->end;

	if (map->perms[2] != 'x' || map->perms[3] != 'p' || *map->path != '/' ||
	    pread(mem, page, PAGE, map->end - PAGE) != PAGE)
		return 0;
	text = text_end(map);
	while (at > map->end - PAGE && at > text &&
	       !page[at - 1 - (map->end - PAGE)])
		at--;
	at = (at + align - 1) & -align;
	*size = (map->end - at) & -align;
	return at;
}

unsigned long live_padding(pid_t tid, int mem, unsigned long align,
			   unsigned long *size)
{
	unsigned long best = 0, at, n = 0;
	FILE *maps = live_map_open(tid);
	struct live_map map;

	*size = 0;
	while (maps && live_map_next(maps, &map)) {
		at = padding_of(&map, mem, align, &n);
		if (at && n > *size) {
			best = at;
			*size = n;
		}
	}
	if (maps)
		fclose(maps);
	return best;
}
