"""Every magic that the kernel lists, over its sockets: help, completion, inspection, a wrong argument.

    JUPYTER_PATH=PREFIX/share/jupyter python -m unittest discover -v -s tests/clients -p 'test_magics.py'
"""
import re
import unittest

from jupyter_client.manager import start_new_kernel

# Their argument is any command, any name or any text.
TAKE_ANYTHING = {"sh", "bash", "env", "help"}
TYPED = re.compile(r"%%?\w+")


class EveryMagicTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.manager, cls.client = start_new_kernel(kernel_name="meshbook", startup_timeout=60)
        listed = [o["content"] for o in cls.run_cell("%magics")[1] if o["msg_type"] in ("display_data", "stream")]
        text = "".join(c["data"]["text/plain"] if "data" in c else c["text"] for c in listed)
        names = [line.split("  ")[1] for line in text.splitlines() if line.startswith("  %")]
        cls.typed = sorted({word for name in names for word in TYPED.findall(name)})
        assert len(cls.typed) > 40, cls.typed

    @classmethod
    def tearDownClass(cls):
        cls.client.stop_channels()
        cls.manager.shutdown_kernel()

    @classmethod
    def run_cell(cls, code):
        outputs = []
        reply = cls.client.execute_interactive(code, timeout=60, output_hook=outputs.append, allow_stdin=False)
        return reply["content"], outputs

    def test_help_explains_each(self):
        for typed in self.typed:
            name = typed.lstrip("%")
            with self.subTest(magic=typed):
                content, outputs = self.run_cell("%help " + name)
                self.assertEqual("ok", content["status"], content)
                self.assertIn("%" + name, str([o["content"] for o in outputs]))

    def test_each_completes_from_its_first_letters(self):
        for typed in self.typed:
            name = typed.lstrip("%")
            with self.subTest(magic=typed):
                half = typed[: typed.count("%") + max(1, len(name) // 2)]
                reply = self.client.complete(half, cursor_pos=len(half), reply=True, timeout=30)
                found = [match.strip() for match in reply["content"]["matches"]]
                self.assertTrue({typed, name} & set(found), (half, found))

    def test_each_is_inspected_by_a_question_mark(self):
        for typed in self.typed:
            name = typed.lstrip("%")
            with self.subTest(magic=typed):
                reply = self.client.inspect(typed, cursor_pos=len(typed), reply=True, timeout=30)
                self.assertTrue(reply["content"]["found"], reply["content"])
                self.assertIn(name, reply["content"]["data"]["text/plain"])

    def test_a_wrong_argument_is_one_line_and_the_kernel_goes_on(self):
        for typed in self.typed:
            name = typed.lstrip("%")
            with self.subTest(magic=typed):
                if name in TAKE_ANYTHING:
                    continue
                content, _ = self.run_cell(typed + ' --absurd=\x07 "x\n')
                self.assertEqual("error", content["status"], content)
                if not name.startswith("time"):  # wrong Java has its place below
                    self.assertNotIn("\n", content["evalue"].strip())
                    self.assertEqual(1, len(content["traceback"]), content)
                self.assertNotIn("org.meshbook", "\n".join(content["traceback"]))
        _, outputs = self.run_cell("6 * 7")
        self.assertIn("42", [o["content"]["data"]["text/plain"] for o in outputs if o["msg_type"] == "execute_result"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
