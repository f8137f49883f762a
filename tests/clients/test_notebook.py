"""The notebooks through nbconvert --execute, as a person would run it without a browser."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import nbclient
import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"


class NotebookTest(unittest.TestCase):
    def convert(self, name):
        """Runs a notebook in nbconvert: the notebook afterwards, and the outputs of its cells."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [
                    sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", str(NOTEBOOKS / name),
                    "--output-dir", folder, "--output", "out.ipynb",
                    "--ExecutePreprocessor.timeout=180",
                    "--ExecutePreprocessor.kernel_name=meshbook",
                    "--ExecutePreprocessor.startup_timeout=90",
                ],
                capture_output=True, text=True, timeout=330, stdin=subprocess.DEVNULL,
            )
            self.assertEqual(0, done.returncode, done.stderr[-4000:])
            out = nbformat.read(pathlib.Path(folder) / "out.ipynb", as_version=4)
        nbformat.validate(out)
        outputs = [o for cell in out.cells if cell.cell_type == "code" for o in cell.outputs]
        self.assertFalse([o for o in outputs if o.output_type == "error"])
        return out, outputs

    def test_lose_a_slice_runs_in_nbconvert(self):
        _, outputs = self.convert("01-lose-a-slice.ipynb")
        self.assertTrue(any("image/svg+xml" in o.get("data", {}) for o in outputs))

    def test_names_and_commands_stay_whole_where_there_is_no_locale(self):
        cells = ["%%bash\nprintf 'é€😀'", 'Files.writeString(Path.of("é€😀.txt"), "").toFile().exists()']
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
        environment = {name: value for name, value in os.environ.items() if name != "LANG" and not name.startswith("LC_")}
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder)
            nbformat.write(notebook, here / "läs.ipynb")
            done = subprocess.run(
                [str(ROOT / "meshbook"), "run", str(here / "läs.ipynb"), "--output", str(here / "out.ipynb")],
                capture_output=True, timeout=120, stdin=subprocess.DEVNULL, env=environment,
            )
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertIn("é€😀", done.stdout.decode())
            self.assertTrue((here / "é€😀.txt").exists())
            out = nbformat.read(here / "out.ipynb", as_version=4)
        self.assertEqual("é€😀", out.cells[0].outputs[0].text)

    def test_cells_run_in_nbclient_up_to_the_one_that_fails(self):
        cells = [
            'record Point(int x, int y) {}\nvar p = new Point(1, 2);',
            'System.out.println("printed");\np.x() + p.y()',
            'throw new IllegalStateException("as asked");',
            '"after"',
        ]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in cells])
        client = nbclient.NotebookClient(notebook, kernel_name="meshbook", timeout=60, startup_timeout=90)
        with self.assertRaises(nbclient.exceptions.CellExecutionError) as failure:
            client.execute()
        self.assertEqual("as asked", failure.exception.evalue)
        self.assertEqual(["stream", "execute_result"], [o.output_type for o in notebook.cells[1].outputs])
        self.assertEqual("3", notebook.cells[1].outputs[1].data["text/plain"])
        self.assertEqual([], notebook.cells[3].outputs)

        client.allow_errors = True
        client.execute()
        nbformat.validate(notebook)
        self.assertEqual([1, 2, 3, 4], [cell.execution_count for cell in notebook.cells])
        self.assertEqual("after", notebook.cells[3].outputs[0].data["text/plain"].strip('"'))

    def test_leave_and_come_back_runs_in_nbconvert(self):
        _, outputs = self.convert("04-leave-and-come-back.ipynb")
        said = "".join(o.text for o in outputs if o.output_type == "stream")
        self.assertIn("| step 400", said)
        self.assertIn("resumed session", said)
        self.assertIn("step 800", said)
        self.assertNotIn("\nstep 300", said.split("resumed session")[1], "it starts over")

    def test_widgets_run_in_nbconvert_which_keeps_their_state(self):
        out, outputs = self.convert("08-widgets.ipynb")
        views = [o.data[VIEW]["model_id"] for o in outputs if VIEW in o.get("data", {})]
        models = out.metadata.widgets[STATE]["state"]
        self.assertEqual(4, len(views))
        for view in views:
            self.assertIn(view, models)
        names = {model["model_name"] for model in models.values()}
        self.assertLessEqual({"IntSliderModel", "FloatSliderModel", "ButtonModel", "OutputModel", "LayoutModel"}, names)
        bars = [o.data["text/plain"] for o in outputs if "text/html" in o.get("data", {})]
        self.assertEqual(3, len([bar for bar in bars if "100%" in bar and "took" in bar]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
