"""A kernel that is killed in the middle of training, and one that takes over its session: through real Jupyter clients.

    JUPYTER_PATH=PREFIX/share/jupyter python -m unittest discover -v -s tests/clients -p 'test_*.py'
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from jupyter_client.manager import start_new_kernel

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "notebooks" / "04-leave-and-come-back.ipynb"
PATIENCE = 180


class Kernel:
    def __init__(self, environment):
        self.manager, self.client = start_new_kernel(kernel_name="meshbook", startup_timeout=90, env=environment)

    def run(self, code, until=None):
        """What a cell printed and showed; ends early, with the cell still running, when `until` is seen."""
        id = self.client.execute(code)
        said, failure = "", None
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != id:
                continue
            content = message["content"]
            if message["msg_type"] == "stream":
                said += content["text"]
            elif message["msg_type"] in ("display_data", "execute_result"):
                said += content["data"].get("text/plain", "")
            elif message["msg_type"] == "error":
                failure = content["ename"] + ": " + content["evalue"]
            elif message["msg_type"] == "status" and content["execution_state"] == "idle":
                # What is sent before is taken for the rest of a queue, which a failure cancels.
                if failure:
                    raise AssertionError(failure)
                return said
            if until and until in said:
                return said
        raise AssertionError("nothing after " + code)

    def kill(self):
        """SIGKILL to the kernel's whole process group, as the system would when memory ran out."""
        self.client.stop_channels()
        os.killpg(os.getpgid(self.manager.provisioner.process.pid), signal.SIGKILL)
        self.manager.provisioner.process.wait(30)
        self.manager.cleanup_resources()

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=False)


class AttachTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="meshbook-")
        os.chmod(self.folder.name, 0o700)
        self.environment = dict(os.environ, MESHBOOK_RUNTIME_DIR=self.folder.name, MESHBOOK_HISTORY="off")
        self.kernels = []

    def tearDown(self):
        for kernel in self.kernels:
            kernel.close()
        end = time.monotonic() + 30
        while os.path.exists(os.path.join(self.folder.name, "head.state")) and time.monotonic() < end:
            time.sleep(0.1)
        self.folder.cleanup()

    def kernel(self):
        self.kernels.append(Kernel(self.environment))
        return self.kernels[-1]

    def test_training_goes_on_after_the_kernel_was_killed(self):
        program = [
            "".join(cell["source"])
            for cell in json.loads(NOTEBOOK.read_text())["cells"]
            if cell["cell_type"] == "code"
        ][:2]
        # 1. a kernel trains and is killed
        first = self.kernel()
        self.assertNotIn("session", first.run("1 + 1"))
        first.run("%slices 2 --devices 2")
        for cell in program:
            first.run(cell)
        first.run('var snapshots = new Snapshotter(Manager.current());\npublish("snapshots", snapshots);')
        first.run('publish("first", Model.fresh(Mesh.of(Manager.current().activeDevices(), axis("replica", 2), axis("model", 2))));')
        sum = first.run('System.out.print(lookup("first", Params.class).w1().toHost().sum().item())')
        first.run("train(snapshots, Long.MAX_VALUE)", until="step 200")
        self.kernels.remove(first)
        first.kill()

        # 2. the next one says what waits, and nothing more
        second = self.kernel()
        said = second.run("1 + 1")
        self.assertRegex(said, r"^session s1 with 2 slices and first, snapshots was left \d+ s ago by kernel, pid \d+; %attach s1 takes it over")
        self.assertEqual(1, said.count("session s1 with"))
        self.assertNotIn("session s1 with", second.run("2 + 2"))
        with self.assertRaisesRegex(AssertionError, "no slices are provisioned"):
            second.run("Manager.current()")

        # 3. it attaches, and the loss curve goes on
        self.assertRegex(second.run("%attach"), r"^resumed session s1 \(2 slices\), left \d+ s ago by kernel, pid \d+; published: first, snapshots")
        for cell in program:
            second.run(cell)
        self.assertEqual(sum, second.run('System.out.print(lookup("first", Params.class).w1().toHost().sum().item())'))
        second.run('var snapshots = lookup("snapshots", Snapshotter.class);')
        at = int(second.run("System.out.print(snapshots.latest().orElseThrow().step())"))
        self.assertGreaterEqual(at, 179)
        second.run(f"var state = train(snapshots, {at + 101});")
        losses = [float(loss) for loss in re.findall(r"[\d.]+", second.run("System.out.print(state.losses())"))]
        self.assertEqual((at + 101) // 20, len(losses), "one loss each 20 steps, none twice and none missing")
        before = losses[(at + 1) // 20 - 1]
        self.assertLess(losses[-1], losses[0] / 2)
        self.assertLess(losses[(at + 1) // 20], before * 2, "no start from the beginning")

        # 4. closing frees at once
        self.assertEqual("closed session s1; 2 slices freed\n", second.run("%session close"))
        self.assertIn("ended: kernel, pid", second.run("%session list"))

    def test_an_observer_looks_on_and_changes_nothing(self):
        teacher, pupil = self.kernel(), self.kernel()
        teacher.run("%slices 1")
        teacher.run('var x = put(Array.arange(4), Mesh.of(Manager.current().activeDevices(), axis("d", 1)).replicated()); publish("x", x);')
        self.assertIn("looking on at session s1 of kernel, pid", pupil.run("%attach s1 --observe"))
        self.assertIn("0, 1, 2, 3", pupil.run('lookup("x", Array.class).toHost()'))
        self.assertIn("healthy", pupil.run("%slices"))
        self.assertIn("published", pupil.run("%session"))
        for cell, refusal in {
            'lookup("x", Array.class).add(1)': "an observer can only look and fetch",
            'publish("y", lookup("x", Array.class))': "an observer can only look and fetch",
            "%slices --release": "an observer can only look; session s1 belongs to kernel, pid",
            "%slices 2": "this kernel looks on at session s1; %detach first",
            "%attach s1": "session s1 is in use by kernel, pid",
        }.items():
            with self.subTest(cell), self.assertRaisesRegex(AssertionError, refusal):
                pupil.run(cell)
        self.assertIn("no longer looking on", pupil.run("%detach"))
        self.assertIn("0, 1, 2, 3", teacher.run("x.toHost()"))

    def test_a_restart_keeps_the_session(self):
        kernel = self.kernel()
        kernel.run("%slices 1")
        kernel.run('publish("x", put(Array.arange(4), Mesh.of(Manager.current().activeDevices(), axis("d", 1)).replicated()));')
        kernel.manager.restart_kernel(now=False)
        kernel.client.wait_for_ready(timeout=90)
        self.assertIn("session s1 with 1 slice and x", kernel.run("1 + 1"))
        kernel.run("%attach")
        self.assertIn("0, 1, 2, 3", kernel.run('lookup("x", Array.class).toHost()'))

    def test_the_token_is_in_no_process_list_and_in_no_log(self):
        kernel = self.kernel()
        kernel.run("%slices 1")
        file = os.path.join(self.folder.name, "session-s1")
        self.assertEqual(0o600, os.stat(file).st_mode & 0o777)
        facts = dict(line.split("=", 1) for line in pathlib.Path(file).read_text().splitlines() if "=" in line)
        secrets = [facts["token"], facts["observer"]]
        self.assertTrue(all(len(secret) == 64 for secret in secrets))
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
        said = kernel.run("%session") + kernel.run("%session list") + kernel.run("%events") + kernel.run("%slices")
        for file in pathlib.Path(self.folder.name).glob("*.log"):
            said += file.read_text(errors="replace")
        for secret in secrets:
            self.assertNotIn(secret, listed + said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
