"""The kernel through a real Jupyter client: jupyter_kernel_test's suite, filled in for Java.

    JUPYTER_PATH=PREFIX/share/jupyter python -m unittest discover -v -s tests/clients -p 'test_*.py'

after `./meshbook install --prefix PREFIX`, with jupyter_kernel_test from PyPI.
"""
import time
import unittest

import jupyter_kernel_test


class WelcomeTest(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "meshbook"
    support_iopub_welcome = True


class MeshbookKernelTest(jupyter_kernel_test.KernelTests):
    kernel_name = "meshbook"
    language_name = "java"
    file_extension = ".jshell"

    code_hello_world = 'System.out.println("hello, world");'
    code_stderr = 'System.err.println("oops");'
    completion_samples = [
        {"text": "System.ou", "matches": {"out"}},
        {"text": '"abc".subs', "matches": {"substring("}},
        {"text": "%slices 4 --dev", "matches": {"--devices"}},
    ]
    complete_code_samples = [
        "1 + 1",
        "int a = 3;",
        "for (int i = 0; i < 2; i++) { }",
        "// only a comment",
        'String s = "a";\nint n = 2;',
        "%slices",
    ]
    incomplete_code_samples = [
        "for (int i = 0; i < 2; i++) {",
        "int f(int a) {",
        "/* open comment",
        'String t = """\nabc',
    ]
    invalid_code_samples = ["int x = = 3;", "1 +* 2"]
    code_generate_error = 'throw new IllegalStateException("as asked");'
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": "int n = 4;\nn + 1", "result": "5"},
        {"code": "10 %7", "result": "3"},
    ]
    code_display_data = [
        {"code": 'display("shown");', "mime": "text/plain"},
        {
            "code": 'display(chart("loss", List.of(3, 2, 1)).mark(2, "slice 2 lost"));',
            "mime": "image/svg+xml",
        },
    ]
    code_history_pattern = "6 *7*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "Math.max"
    code_clear_output = "clearOutput();"


class MagicTest(unittest.TestCase):
    """What a user of magics meets: one line for what cannot be done, and a kernel that goes on."""

    @classmethod
    def setUpClass(cls):
        from jupyter_client.manager import start_new_kernel

        cls.manager, cls.client = start_new_kernel(kernel_name="meshbook", startup_timeout=60)

    @classmethod
    def tearDownClass(cls):
        cls.client.stop_channels()
        cls.manager.shutdown_kernel()

    def run_cell(self, code, timeout=60):
        outputs = []
        reply = self.client.execute_interactive(
            code, timeout=timeout, output_hook=outputs.append, allow_stdin=False
        )
        return reply["content"], outputs

    def assert_one_line(self, code, *words):
        content, _ = self.run_cell(code)
        self.assertEqual("error", content["status"], content)
        self.assertNotIn("\n", content["evalue"].strip())
        for word in words:
            self.assertIn(word, content["evalue"])
        self.assertEqual("ok", self.run_cell("1 + 1")[0]["status"])

    def test_unknown_magic_names_the_nearest(self):
        self.assert_one_line("%slcies 4", "slcies", "slices")

    def test_unknown_flag_names_the_nearest(self):
        self.assert_one_line("%slices 4 --devcies 2", "--devcies", "--devices")

    def test_zero_slices_is_the_same_as_to_release_them(self):
        content, outputs = self.run_cell("%slices 1")
        self.assertEqual("ok", content["status"], content)
        content, outputs = self.run_cell("%slices 0")
        self.assertEqual("ok", content["status"], content)
        self.assertIn("freed 1 slice", "".join(o["content"].get("text", "") for o in outputs))

    def test_too_many_slices_are_refused(self):
        self.assert_one_line("%slices 5000", "'5000'", "1 to")

    def test_slices_come_show_and_go(self):
        content, outputs = self.run_cell("%slices 2 --devices 2")
        self.assertEqual("ok", content["status"], content)
        shown = [o["content"]["data"] for o in outputs if o["msg_type"] == "display_data"]
        self.assertIn("text/html", shown[0])
        self.assertEqual(2, shown[0]["text/plain"].count("healthy"))
        content, outputs = self.run_cell("%slices --release")
        self.assertEqual("ok", content["status"], content)

    def test_shutdown_is_quick(self):
        from jupyter_client.manager import start_new_kernel

        manager, client = start_new_kernel(kernel_name="meshbook", startup_timeout=60)
        client.stop_channels()
        start = time.monotonic()
        manager.shutdown_kernel()
        self.assertFalse(manager.is_alive())
        self.assertLess(time.monotonic() - start, 5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
