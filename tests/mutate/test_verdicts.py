#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""test_verdicts.py BUILD - what ./dev mutate says of mutants whose fate is known, and
what it leaves behind."""
import glob
import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "../../model/uprobes")
BUILD = sys.argv.pop()
# Few, so that what they reach is soon known; kept for the next test of this file.
TESTS = "^(case hit_stepped|race unordered-insn)$"
KEPT = tempfile.TemporaryDirectory()


def command(*more):
    return [sys.executable, "-B", f"{HERE}/mutate.py", BUILD, MODEL, "--tests", TESTS,
            "--table", f"{KEPT.name}/table.json", *more]


def listed(pattern):
    """The id of the one mutant that --list shows so."""
    found = [l.split()[0] for l in subprocess.check_output(command("--list"), text=True)
             .splitlines() if re.search(pattern, l)]
    assert len(found) == 1, f"{pattern}: {found}"
    return found[0]


def tree():
    h = hashlib.sha256()
    for name in sorted(os.listdir(MODEL)):
        with open(f"{MODEL}/{name}", "rb") as f:
            h.update(f.read())
    return h.hexdigest()


def processes_of(folder):
    """Command lines in which it occurs."""
    found = []
    for name in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(name, "rb") as f:
                line = f.read()
        except OSError:  # it has just ended
            continue
        if folder.encode() in line:
            found.append(line)
    return found


class Verdicts(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.tmp = temporary.name
        self.env = {**os.environ, "TMPDIR": self.tmp}
        self.before = tree()

    def tearDown(self):
        self.assertEqual(os.listdir(self.tmp), [])
        self.assertEqual(tree(), self.before)

    def judge(self, *more):
        p = subprocess.run(command(*more), env=self.env, text=True, capture_output=True)
        self.assertIn(p.returncode, (0, 1), p.stderr)
        return p.returncode, p.stdout, p.stderr

    def test_fates(self):
        by_case = listed(r"hit\.c.* uprobe_notify_resume, negate")
        by_race = listed(r"install\.c.* prepare_uprobe, drop barrier")
        reached = listed(r"hit\.c.* find_active_uprobe_rcu, drop statement: "
                         r"-\*is_swbp = -EFAULT;")
        broken = listed(r"hit\.c.* mmf_recalc_uprobes, drop statement: -VMA_ITERATOR")
        only = [a for key in (by_case, by_race, reached, broken) for a in ("--only", key)]
        status, out, err = self.judge(*only, "-j", "2", "--equivalent", os.devnull)
        self.assertEqual(status, 1)
        self.assertRegex(err, rf"killed +{by_case} .*  case hit_stepped\n")
        self.assertRegex(err, rf"killed +{by_race} .*  race unordered-insn\n")
        self.assertIn("2 killed, 1 survived, 1 does not compile; 4 mutants\n", out)
        self.assertIn("killed: 66.7 % of 3 ", out)
        self.assertIn(f"survived: {reached} model/uprobes/hit.c:", out)
        self.assertIn("\n-\t*is_swbp = -EFAULT;\n+\t;\n", out)

    def test_equivalent(self):
        key = listed(r"find_active_uprobe_rcu, drop statement: -\*is_swbp = -EFAULT;")
        path = f"{KEPT.name}/equivalent"
        block = f"{key} model/uprobes/hit.c\n-*is_swbp = -EFAULT;\n+;\nnobody looks\n"
        with open(path, "w") as f:
            f.write(block)
        _, out, _ = self.judge("--only", key, "--equivalent", path)
        self.assertIn("1 equivalent; 1 mutants\n", out)
        self.assertNotIn("equivalent.txt:", out)
        with open(path, "w") as f:
            f.write(block.replace("EFAULT", "EINVAL") + "\n"
                    "0123456789 model/uprobes/hit.c\n-a;\n+;\nit is gone\n")
        status, out, _ = self.judge("--only", key, "--equivalent", path)
        self.assertEqual(status, 1)
        self.assertIn(f"equivalent.txt: {key} model/uprobes/hit.c: is another mutant now", out)
        self.assertIn("0123456789 model/uprobes/hit.c: no such mutant any more", out)

    def test_interrupted(self):
        p = subprocess.Popen(command("-n", "20"), env=self.env, text=True,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for line in p.stderr:
            if line.startswith("["):  # one is judged, the next are at work
                break
        self.assertNotEqual(os.listdir(self.tmp), [])
        p.send_signal(signal.SIGINT)
        p.communicate()
        self.assertEqual(p.returncode, 130)
        self.assertEqual(processes_of(self.tmp), [])

    def test_refused(self):
        p = subprocess.run([sys.executable, "-B", f"{HERE}/mutate.py", BUILD, f"{HERE}/../../sim"],
                           text=True, capture_output=True)
        self.assertEqual(p.returncode, 2)
        self.assertRegex(p.stderr, "no file of the model; try model/uprobes")


if __name__ == "__main__":
    unittest.main()
