"""./meshbook at a real terminal, by pexpect: what a person types, and what the screen gets."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import pexpect

ROOT = pathlib.Path(__file__).resolve().parents[2]
MESHBOOK = os.environ.get("MESHBOOK", str(ROOT / "meshbook"))
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[=>]")
CTRL_C, CTRL_D, CTRL_R, UP = "\x03", "\x04", "\x12", "\x1b[A"


class ConsoleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, columns=100, **more):
        environment = {**os.environ, "TERM": "xterm-256color", "MESHBOOK_HISTORY": str(self.folder / "history"), **more}
        environment.pop("COLORTERM", None)
        child = pexpect.spawn(
            MESHBOOK, env=environment, encoding="utf-8", dimensions=(40, columns), timeout=60, cwd=self.folder
        )
        self.addCleanup(child.close, force=True)
        child.expect_exact("In [1]: ")
        return child

    def out(self, child, number):
        """The text of a result, as it reads on the screen."""
        child.expect(rf"Out\[{number}\]:")
        child.expect_exact(f"In [{number + 1}]: ")
        return ESCAPES.sub("", child.before).strip()

    def leave(self, child):
        child.send(CTRL_D)
        child.expect(pexpect.EOF)
        child.close()
        self.assertEqual(0, child.exitstatus)

    def test_a_cell_of_several_lines_is_typed_and_run(self):
        child = self.start()
        child.send("int twice(int a) {\r")
        child.expect_exact("...: ")
        child.send("return 2 * a;\r}\r")
        child.expect_exact("In [2]: ")
        child.send("twice(21)\r")
        self.assertEqual("42", self.out(child, 2))
        self.leave(child)

    def test_pasted_text_is_one_cell(self):
        child = self.start()
        child.send("\x1b[200~record P(int x) {\n\n    int y() { return x + 1; }\n}\nnew P(41).y()\x1b[201~\r")
        self.assertEqual("42", self.out(child, 1))
        self.leave(child)

    def test_ctrl_c_stops_the_cell_and_drops_what_is_typed(self):
        child = self.start()
        child.send('System.out.println("go" + "ing"); while (true) { }\r')
        child.expect_exact("going\r\n")
        child.send(CTRL_C)
        child.expect_exact("KeyboardInterrupt")
        child.expect_exact("In [2]: ")
        child.send("half a line")
        child.send(CTRL_C)
        child.expect_exact("In [2]: ")
        child.send("6 * 7\r")
        self.assertEqual("42", self.out(child, 2))
        self.leave(child)

    def test_tab_completes_members_magics_and_says_their_types(self):
        child = self.start()
        child.send('"abc".substr')
        child.send("\t")
        child.expect_exact("ing(")
        child.send("1)\r")
        self.assertIn("bc", self.out(child, 1))
        child.send("%slic\t")
        child.expect_exact("es")
        child.send(CTRL_C)
        child.expect_exact("In [2]: ")
        child.send("Math.ma\t\t")
        child.expect(r"max")
        child.send(CTRL_C)
        child.expect_exact("In [2]: ")
        self.leave(child)

    def test_a_cell_reads_lines_and_passwords(self):
        child = self.start()
        child.send("new Scanner(System.in).nextLine().length()\r")
        child.expect_exact("\n")
        child.send("twelve chars\r")
        self.assertEqual("12", self.out(child, 1))
        self.leave(child)

    def test_history_is_found_in_the_next_session_and_is_nobody_elses(self):
        child = self.start()
        child.send("40 + 2\r")
        self.assertEqual("42", self.out(child, 1))
        self.leave(child)
        for file in (self.folder / "history").rglob("*"):
            self.assertEqual(0, file.stat().st_mode & 0o077, file)
        child = self.start()
        child.send(UP + "\r")
        self.assertEqual("42", self.out(child, 1))
        child.send(CTRL_R + "40 +")
        child.expect_exact("bck-i-search")
        child.send("\r")
        self.assertEqual("42", self.out(child, 2))
        self.leave(child)

    def test_errors_and_pictures_are_shown(self):
        child = self.start()
        child.send('throw new IllegalStateException("as asked");\r')
        child.expect_exact("as asked")
        child.expect_exact("In [2]: ")
        child.send("new java.awt.image.BufferedImage(8, 8, 1)\r")
        child.expect_exact("▀")
        child.expect(r"image/png, 8 x 8, [^:]*: (/[^\]]*)\]")
        picture = pathlib.Path(child.match.group(1))
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        child.expect_exact("In [3]: ")
        self.leave(child)
        self.assertFalse(picture.exists())

    def test_late_output_does_not_break_what_is_typed(self):
        child = self.start()
        child.send('Thread.startVirtualThread(() -> { try { Thread.sleep(1500); } catch (Exception e) { }'
                   ' System.out.println("la" + "te"); }); 1\r')
        child.expect_exact("In [2]: ")
        child.send("6 *")
        child.expect_exact("late")
        child.send(" 7\r")
        self.assertEqual("42", self.out(child, 2))
        self.leave(child)

    def test_no_color_means_none(self):
        child = self.start(NO_COLOR="1")
        child.send("int a = 42; a\r")
        child.expect_exact("Out[1]: 42")
        self.assertIsNone(re.search(r"\x1b\[[0-9;]*[1-9][0-9;]*m", child.before))
        child.expect_exact("In [2]: ")
        self.leave(child)

    def test_a_dumb_terminal_gets_plain_lines(self):
        child = self.start(TERM="dumb")
        child.sendline("6 * 7")
        child.expect_exact("Out[1]: 42")
        child.expect_exact("In [2]: ")
        self.assertNotIn("\x1b", child.before)
        child.sendline('System.out.println("go" + "ing"); while (true) { }')
        child.expect_exact("going")
        child.send(CTRL_C)
        child.expect_exact("KeyboardInterrupt")
        child.send(CTRL_D)
        child.expect(pexpect.EOF)

    def test_exit_leaves(self):
        child = self.start()
        child.send("%exit\r")
        child.expect(pexpect.EOF)
        child.close()
        self.assertEqual(0, child.exitstatus)


class PipeTest(unittest.TestCase):
    def run_cells(self, text):
        return subprocess.run(
            [MESHBOOK], input=text, capture_output=True, text=True, timeout=60,
            env={**os.environ, "MESHBOOK_HISTORY": "off"},
        )

    def test_a_pipe_is_run_without_prompts_and_colours(self):
        done = self.run_cells('int a = 6;\nfor (int i = 0; i < 2; i++) {\n  a += i;\n}\na * 6\nSystem.out.println("x");\n')
        self.assertEqual((0, "Out[3]: 42\nx\n", ""), (done.returncode, done.stdout, done.stderr))

    def test_the_first_failure_ends_it(self):
        done = self.run_cells("int a = 1 / 0;\nSystem.out.println(\"not reached\");\n")
        self.assertEqual(1, done.returncode)
        self.assertIn("ArithmeticException", done.stdout)
        self.assertNotIn("not reached", done.stdout)
        self.assertNotIn("\x1b", done.stdout)


class JupyterConsoleTest(unittest.TestCase):
    """The console of Jupyter itself, with the kernel that was installed before."""

    def test_jupyter_console_runs_cells(self):
        import sys

        child = pexpect.spawn(
            sys.executable, ["-m", "jupyter_console", "--kernel", "meshbook", "--ZMQTerminalInteractiveShell.simple_prompt=True"],
            encoding="utf-8", timeout=60, env={**os.environ, "TERM": "dumb"}, dimensions=(40, 100),
        )
        self.addCleanup(child.close, force=True)
        child.expect_exact("In [1]: ")
        child.sendline("6 * 7")
        child.expect(r"Out\[1\]:\s*42")
        child.expect_exact("In [2]: ")
        child.sendline('throw new IllegalStateException("as asked");')
        child.expect_exact("as asked")
        child.expect_exact("In [3]: ")
        child.sendeof()
        if child.expect([pexpect.EOF, "really want to exit"]) == 1:
            child.sendline("y")
            child.expect(pexpect.EOF)


if __name__ == "__main__":
    unittest.main(verbosity=2)
