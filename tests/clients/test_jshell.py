"""./meshbook jshell: the JDK's own tool, fed by a pipe, with Meshbook's imports and magics."""
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MESHBOOK = os.environ.get("MESHBOOK", str(ROOT / "meshbook"))


def jshell(*lines, arguments=()):
    done = subprocess.run(
        [MESHBOOK, "jshell", "--feedback", "concise", *arguments], input="\n".join([*lines, "/exit", ""]),
        capture_output=True, text=True, timeout=180,
    )
    if done.returncode != 0:
        raise AssertionError(done.stdout[-2000:] + done.stderr[-2000:])
    return done.stdout


class JshellTest(unittest.TestCase):
    def test_java_magics_and_arrays_work_there(self):
        said = jshell(
            "1 + 1",
            'System.out.println(List.of(Path.of("x")))',
            'Magics.run("help")',
            'Magics.run("slcies")',
            'System.out.println(Meshbook.start() == Meshbook.start())',
            'display(Map.of("a", 1))',
            'Magics.run("slices 2")',
            'var mesh = Mesh.of(Manager.current().activeDevices(), axis("data", 2))',
            'var a = put(Array.ones(4), mesh.sharding("data"))',
            'System.out.println("sum " + a.add(a).sum().toHost())',
            'Magics.run("slices --release")',
        )
        self.assertIn("$1 ==> 2", said)
        self.assertIn("[x]", said)
        self.assertIn("%slices", said)
        self.assertIn("did you mean %slices?", said)
        self.assertIn("true", said)
        self.assertIn("healthy", said)
        self.assertRegex(said, r"sum .*8")
        self.assertNotIn("cannot find symbol", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
