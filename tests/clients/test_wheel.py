"""The wheel: installed by pip into a fresh environment, seen by Jupyter, started through its launcher.

    mvn -Pdist package -DskipTests
    python -m unittest tests/clients/test_wheel.py

with jupyter_client and ipykernel from PyPI; nothing is fetched.
"""
import base64
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import unittest
import venv
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WHEELS = sorted((ROOT / "wheel" / "target").glob("*.whl"))

ONE_CELL = """
import json, os, sys
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="meshbook", startup_timeout=60)
said = []
reply = client.execute_interactive("1 + 1", timeout=60, output_hook=said.append, allow_stdin=False)
pid = manager.provisioner.pid
try:
    program = os.path.basename(os.readlink(f"/proc/{pid}/exe"))
except OSError:
    program = ""
client.stop_channels()
manager.shutdown_kernel()
results = [m["content"]["data"]["text/plain"] for m in said if m["msg_type"] == "execute_result"]
print(json.dumps({"reply": reply["content"], "results": results, "program": program}))
"""


@unittest.skipUnless(WHEELS or "CI" in os.environ, "no wheel is built: mvn -Pdist package -DskipTests")
class WheelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.home = pathlib.Path(cls.folder.name)
        venv.create(cls.home / "venv", with_pip=False, symlinks=True)
        cls.python = str(cls.home / "venv" / "bin" / "python")
        cls.environment = {**os.environ, "MESHBOOK_CACHE": "off", "MESHBOOK_HISTORY": "off",
                           "XDG_CACHE_HOME": str(cls.home / "cache"), "PYTHONDONTWRITEBYTECODE": "1",
                           "JUPYTER_DATA_DIR": str(cls.home / "data")}
        for name in ("JUPYTER_PATH", "PYTHONPATH", "VIRTUAL_ENV"):
            cls.environment.pop(name, None)
        # 1. pip puts the wheel in  2. Jupyter's own packages are lent by the Python that runs this
        subprocess.run(
            [sys.executable, "-m", "pip", "-q", "--python", cls.python, "install", "--no-deps", "--no-index",
             str(WHEELS[-1])],
            check=True, timeout=120, env=cls.environment,
        )
        (pathlib.Path(cls.run_python("import sysconfig; print(sysconfig.get_path('purelib'))")) / "lent.pth").write_text(
            f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
        )

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_python(cls, code, *arguments, **more):
        done = subprocess.run(
            [cls.python, "-c", code, *arguments], capture_output=True, text=True, timeout=300,
            env={**cls.environment, **more}, cwd=cls.home, stdin=subprocess.DEVNULL,
        )
        if done.returncode != 0:
            raise AssertionError(done.stderr[-3000:])
        return done.stdout.strip()

    def cell(self, **more):
        return json.loads(self.run_python(ONE_CELL, **more).splitlines()[-1])

    def test_the_record_names_every_file_with_its_checksum(self):
        with zipfile.ZipFile(WHEELS[-1]) as wheel:
            record = next(name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
            rows = [line.rsplit(",", 2) for line in wheel.read(record).decode().splitlines()]
            self.assertEqual(sorted(wheel.namelist()), sorted(row[0] for row in rows))
            for path, checksum, size in rows:
                if path == record:
                    self.assertEqual(("", ""), (checksum, size))
                    continue
                content = wheel.read(path)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((f"sha256={digest}", str(len(content))), (checksum, size), path)

    def test_jupyter_sees_the_kernel(self):
        listed = json.loads(self.run_python("from jupyter_client.kernelspecapp import KernelSpecApp as A; A.launch_instance()", "list", "--json"))
        spec = listed["kernelspecs"]["meshbook"]
        self.assertTrue(spec["resource_dir"].startswith(str(self.home / "venv")), spec)
        self.assertEqual("java", spec["spec"]["language"])
        self.assertEqual("message", spec["spec"]["interrupt_mode"])
        self.assertTrue((pathlib.Path(spec["resource_dir"]) / "logo-64x64.png").is_file())

    def test_it_computes_and_is_one_process(self):
        ran = self.cell()
        self.assertEqual(("ok", ["2"]), (ran["reply"]["status"], ran["results"]))
        if sys.platform == "linux":
            self.assertEqual("java", ran["program"])

    def test_without_a_jdk_each_cell_says_what_is_missing_and_how_to_get_it(self):
        ran = self.cell(MESHBOOK_JAVA=str(self.home))
        self.assertEqual("error", ran["reply"]["status"])
        self.assertIn("no JDK 25", ran["reply"]["evalue"])
        self.assertNotIn("\n", ran["reply"]["evalue"])

    def test_a_machine_without_any_jdk_is_told_where_to_get_one(self):
        said = self.run_python(
            "from meshbook_kernel import jdk\n"
            "jdk.FOLDERS = []\n"
            "try: print(jdk.find())\n"
            "except jdk.NoJdk as e: print(e)",
            PATH="/nowhere", JAVA_HOME="", MESHBOOK_JAVA="",
        )
        self.assertIn("needs a JDK 25", said)
        self.assertIn("https://adoptium.net", said)
        self.assertNotIn("\n", said)

    def test_the_console_command_is_there(self):
        done = subprocess.run(
            [str(self.home / "venv" / "bin" / "meshbook"), "--jvm-arg=-Dx=a b"], input="System.getProperty(\"x\")\n",
            capture_output=True, text=True, timeout=60, env=self.environment, cwd=self.home,
        )
        self.assertEqual((0, 'Out[1]: a b'), (done.returncode, done.stdout.strip().replace('"', "")), done.stderr)

    def test_a_trained_cache_is_used_and_one_of_other_jars_is_not(self):
        said = self.run_python(
            "import pathlib, sys\n"
            "from meshbook_kernel import jdk, launcher, startcache\n"
            "home = jdk.find()\n"
            "assert startcache.options(home, launcher.JAR) == []\n"
            "startcache.train(home, launcher.JAR, launcher.HERE / 'training.ipynb')\n"
            "print(startcache.options(home, launcher.JAR)[1])\n"
            "print(*[p.name for p in startcache.folder().glob('start-*')])\n"
            "(launcher.JAR.parent / 'lib' / 'zzz.jar').write_bytes(b'')\n"
            "try: print(startcache.options(home, launcher.JAR))\n"
            "finally: (launcher.JAR.parent / 'lib' / 'zzz.jar').unlink()\n"
        ).splitlines()
        self.assertTrue(said[0].startswith(f"-XX:AOTCache={self.home}"), said)
        self.assertEqual(1, len(said[1].split()), said)
        self.assertEqual("[]", said[2])
        self.assertEqual(["2"], self.cell()["results"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
