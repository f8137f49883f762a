"""`jupyter console --kernel meshbook` at a terminal: what is typed, and what comes back."""
import os
import re
import signal
import sys
import time
import unittest

try:
    import jupyter_console  # noqa: F401
    import pexpect
except ImportError:
    pexpect = None

PATIENCE = int(os.environ.get("MESHBOOK_PATIENCE", "45"))
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[()][A-Z0-9]|[=>78])")
MISSING = "not installed here: pip install jupyter_console pexpect"


@unittest.skipIf(pexpect is None and not os.environ.get("CI"), MISSING)
class ConsoleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if pexpect is None:
            raise AssertionError(MISSING)
        from jupyter_client.manager import start_new_kernel

        # The client waits one second for the history, and takes a later answer for that to its next question; from then on
        # it is one behind. A kernel that is warm answers in time.
        cls.manager, cls.client = start_new_kernel(kernel_name="meshbook", startup_timeout=PATIENCE)
        cls.addClassCleanup(cls.manager.shutdown_kernel)
        cls.addClassCleanup(cls.client.stop_channels)
        cls.client.execute_interactive("1", timeout=PATIENCE, output_hook=lambda _: None)

    def setUp(self):
        self.start("--existing", self.manager.connection_file)

    def start(self, *arguments):
        # A terminal that nobody looks at does not tell where its cursor is.
        environment = dict(os.environ, TERM="xterm", PROMPT_TOOLKIT_NO_CPR="1", COLUMNS="120", LINES="40")
        shell = f"--ZMQTerminalInteractiveShell.kernel_is_complete_timeout={PATIENCE}"
        self.console = pexpect.spawn(
            sys.executable, ["-m", "jupyter_console", *arguments, shell],
            env=environment, encoding="utf-8", timeout=PATIENCE, dimensions=(40, 120),
        )
        self.addCleanup(self.end, self.console)
        self.raw = self.plain = ""
        self.read = 0
        self.sees("In [")

    @staticmethod
    def end(console):
        if console.isalive():
            console.sendeof()
            try:
                console.expect([r"exit", pexpect.EOF], timeout=10)
                console.send("y\r")
                console.expect(pexpect.EOF, timeout=10)
            except pexpect.TIMEOUT:
                console.kill(signal.SIGTERM)
        console.close(force=True)

    def enter(self, text):
        self.console.send(text + "\r")

    def sees(self, text, patience=PATIENCE):
        """Waits for a text after what was seen before, whatever colours and movements stand between."""
        deadline = time.monotonic() + patience
        while (at := self.plain.find(text, self.read)) < 0:
            if time.monotonic() > deadline:
                self.fail(f"no {text!r} within {patience} s after {self.plain[self.read:][-600:]!r}")
            try:
                self.raw += self.console.read_nonblocking(4096, timeout=1)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                self.fail(f"the console left; no {text!r} in {self.plain[self.read:][-600:]!r}")
            self.plain = ESCAPES.sub("", self.raw)
        self.read = at + len(text)

    def test_value_has_a_number(self):
        self.enter("6 * 7")
        self.sees("Out[")
        self.sees("42")

    def test_open_block_goes_on_over_lines(self):
        self.enter("for (int i = 0; i < 2; i++) {")
        self.sees("...:")
        self.enter('System.out.println("line " + (i + 70));')
        self.sees("...:")
        self.enter("}")
        self.sees("line 70")
        self.sees("line 71")

    def test_tab_completes(self):
        self.console.send('"abc".substr\t')
        self.sees("ing(")

    def test_control_c_stops_the_cell_and_the_next_one_runs(self):
        # It interrupts only a kernel that it started.
        self.end(self.console)
        self.start("--kernel", "meshbook")
        time.sleep(4)  # nothing tells when a kernel that the client starts is warm
        self.enter("6 * 7")
        self.sees("42")
        self.enter('System.out.println("be" + "gun"); while (true) { }')
        self.sees("begun")
        self.console.sendintr()
        self.sees("KeyboardInterrupt")
        self.enter("40 + 2")
        self.sees("42")

    def test_scanner_reads_a_line(self):
        self.enter('System.out.print("na" + "me? "); var line = new Scanner(System.in).nextLine();')
        self.sees("name?")
        self.console.sendline("Ada")
        self.enter('"hello " + line')
        self.sees("hello Ada")

    def test_secret_is_not_echoed(self):
        self.enter('var secret = askSecret("co" + "de: "); secret.length()')
        self.sees("code:")
        self.assertTrue(self.console.waitnoecho(PATIENCE))
        self.console.sendline("hidden-word")
        self.sees("11")
        self.assertNotIn("hidden-word", self.plain)

    def test_control_d_leaves(self):
        self.console.sendeof()
        self.sees("exit")
        self.console.send("y\r")
        self.console.expect(pexpect.EOF)


if __name__ == "__main__":
    unittest.main(verbosity=2)
