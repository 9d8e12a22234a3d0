/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fields.h - from a place inside an object to the field's name and type.
 */
#ifndef SIM_EXPLORE_FIELDS_H
#define SIM_EXPLORE_FIELDS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Write the path to what lies `offset` bytes into a type and is `size` bytes
 * wide: ".state", ".list.next", ".slot[3]"; size 0: the outermost member that
 * begins there, nothing at offset 0. Stops at a wrapper around one scalar
 * (atomic_t, spinlock_t), whose inside says nothing. to may be NULL. Returns
 * whether a scalar of that size lies there; *found is its type then.
 */
bool fields_path(FILE *to, Dwarf_Die *type, size_t offset, size_t size,
		 Dwarf_Die *found);

/* What an enumeration calls a value; NULL if nothing, or no enumeration. */
const char *fields_enumerator(Dwarf_Die *type, uint64_t value);

#endif /* SIM_EXPLORE_FIELDS_H */
