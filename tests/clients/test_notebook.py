"""The notebook through nbconvert --execute, as a person would run it without a browser."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "notebooks" / "01-lose-a-slice.ipynb"


class NotebookTest(unittest.TestCase):
    def test_lose_a_slice_runs_in_nbconvert(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [
                    sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", str(NOTEBOOK),
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
        self.assertTrue(any("image/svg+xml" in o.get("data", {}) for o in outputs))


if __name__ == "__main__":
    unittest.main(verbosity=2)
