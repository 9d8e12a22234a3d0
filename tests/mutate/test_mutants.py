#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""test_mutants.py - which mutants a text has."""
import unittest

from mutants import enumerate_mutants, mutate

HEAD = "static int limit = 3;\n\n"


def edits(body):
    text = HEAD + "int f(int a)\n{\n" + body + "}\n"
    found = enumerate_mutants("x.c", text)
    for m in found:
        assert mutate(text, m).count("\n") == text.count("\n")
        assert m.function == "f"
    return [(m.operator, text[m.start:m.end], m.new) for m in found]


class Mutants(unittest.TestCase):
    def test_statements(self):
        self.assertEqual(edits("\tint b = g(a);\n\tstruct s *p;\n\n\tg(b);\n"),
                         [("drop statement", "g(b);", ";")])
        self.assertEqual(edits("\tsmp_wmb();\n\treturn a;\n"),
                         [("drop barrier", "smp_wmb();", ";")])
        self.assertEqual(edits("\tup_read(&a->l);\n\treturn a;\n"),
                         [("drop lock", "up_read(&a->l);", ";")])

    def test_last_return_stays(self):
        self.assertEqual(edits("\treturn a;\n"), [])
        self.assertIn(("drop statement", "return a;", ";"),
                      edits("\tif (a)\n\t\treturn a;\n\treturn b;\n"))

    def test_swap(self):
        self.assertIn(("swap statements", "g(a);\n\th(a);", "h(a);\n\tg(a);"),
                      edits("\tg(a);\n\th(a);\n"))
        swaps = [e for e in edits("\tp->a = x;\n\tp->b = y;\n") if e[0] == "swap statements"]
        self.assertEqual(swaps, [])
        swaps = [e for e in edits("\tp->a = x;\n\tp->b = p->a;\n") if e[0] == "swap statements"]
        self.assertEqual(len(swaps), 1)

    def test_conditions(self):
        found = edits("\tfor_each(x, y)\n\t\tif (a && b)\n\t\t\tg(a);\n"
                      "\tfor (i = b; i; i = c)\n\t\th(i);\n\twhile ((x = y))\n\t\t;\n"
                      "\tdo\n\t\tg(c);\n\twhile (d);\n")
        self.assertEqual([e[2] for e in found if e[0] == "negate condition"],
                         ["!(a && b)", "!(i)", "!((x = y))", "!(d)"])

    def test_off_by_one(self):
        found = edits("\treturn a < b + 0x10UL >> c->d ? x[7] : a >= b;\n")
        self.assertEqual([e[1:] for e in found],
                         [("<", "<="), ("0x10UL", "17UL"), ("7", "8"), (">=", ">")])

    def test_silent(self):
        self.assertEqual(edits('\tpr_warn("1 < 2 /* no */");\n\tWARN_ON_ONCE(a);\n'
                               "\t/* g(a); */ // h(a);\n"), [])

    def test_ids(self):
        body = "\tg(a);\n\tif (a)\n\t\tg(a);\n"
        one = enumerate_mutants("x.c", HEAD + "int f(int a)\n{\n" + body + "}\n")
        two = enumerate_mutants("x.c", HEAD + "int b;\n\nint f(int a)\n{\n" + body + "}\n")
        self.assertEqual([m.id for m in one], [m.id for m in two])
        self.assertEqual(len({m.id for m in one}), len(one))


if __name__ == "__main__":
    unittest.main()
