"""The kernel's protocol through real Jupyter clients: subshells, comms, stdin, history, encryption, the start-up handshake.

    JUPYTER_PATH=PREFIX/share/jupyter python -m unittest discover -v -s tests/clients -p 'test_*.py'
"""
import hashlib
import hmac
import json
import os
import queue
import stat
import subprocess
import tempfile
import time
import unittest
import uuid

import zmq
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager, start_new_kernel

KERNEL = "meshbook"
PATIENCE = 30


class Kernel:
    """One kernel, its client, and what iopub said so far."""

    def __init__(self, manager, client):
        self.manager, self.client = manager, client

    @classmethod
    def start(cls, **more):
        return cls(*start_new_kernel(kernel_name=KERNEL, startup_timeout=60, **more))

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=False)

    def send(self, channel, kind, content=None, subshell=None):
        message = self.client.session.msg(kind, content or {})
        if subshell:
            message["header"]["subshell_id"] = subshell
        getattr(self.client, channel + "_channel").send(message)
        return message["header"]["msg_id"]

    def reply(self, channel, id, timeout=PATIENCE):
        return self.await_(channel, lambda m: m["parent_header"].get("msg_id") == id, timeout)

    def await_(self, channel, wanted, timeout=PATIENCE):
        end = time.monotonic() + timeout
        while True:
            message = getattr(self.client, channel + "_channel").get_msg(
                timeout=max(0.01, end - time.monotonic())
            )
            if wanted(message):
                return message

    def ask(self, channel, kind, content=None, subshell=None):
        return self.reply(channel, self.send(channel, kind, content, subshell))["content"]

    def execute(self, code, subshell=None, **more):
        content = dict(
            code=code, silent=False, store_history=True, user_expressions={}, allow_stdin=True, stop_on_error=True
        )
        content.update(more)
        return self.send("shell", "execute_request", content, subshell)

    def outputs(self, id):
        found = []
        while True:
            message = self.await_("iopub", lambda m: m["parent_header"].get("msg_id") == id)
            found.append(message)
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return found

    def printed(self, id):
        return "".join(m["content"]["text"] for m in self.outputs(id) if m["msg_type"] == "stream")


class OneKernel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernel = Kernel.start()

    @classmethod
    def tearDownClass(cls):
        cls.kernel.close()


class SubshellTest(OneKernel):
    def create(self):
        return self.kernel.ask("control", "create_subshell_request")["subshell_id"]

    def delete(self, subshell):
        return self.kernel.ask("control", "delete_subshell_request", {"subshell_id": subshell})

    def test_a_subshell_sees_the_variables_of_a_cell_that_runs(self):
        k = self.kernel
        sub = self.create()
        k.reply("shell", k.execute("var box = new java.util.concurrent.atomic.AtomicInteger(7);"))
        running = k.execute("while (box.get() == 7) { Thread.sleep(5); }")
        k.await_("iopub", lambda m: m["msg_type"] == "execute_input" and m["parent_header"]["msg_id"] == running)
        there = k.execute("box.getAndSet(8)", sub)
        outputs = k.outputs(there)
        results = [m["content"]["data"]["text/plain"] for m in outputs if m["msg_type"] == "execute_result"]
        self.assertEqual(["7"], results)
        self.assertEqual(sub, outputs[0]["parent_header"]["subshell_id"])
        self.assertEqual("ok", k.reply("shell", running)["content"]["status"])
        self.delete(sub)

    def test_an_interrupt_stops_only_the_main_shell(self):
        k = self.kernel
        sub = self.create()
        here, there = k.execute("while (true) { }"), k.execute("while (true) { }", sub)
        started = set()
        k.await_(
            "iopub",
            lambda m: (m["msg_type"] == "execute_input" and started.add(m["parent_header"]["msg_id"])) or {here, there} <= started,
        )
        time.sleep(0.3)
        self.assertEqual("ok", k.ask("control", "interrupt_request")["status"])
        self.assertEqual("error", k.reply("shell", here)["content"]["status"])
        with self.assertRaises(queue.Empty):
            k.reply("shell", there, timeout=0.5)
        self.assertEqual("ok", self.delete(sub)["status"])
        self.assertEqual("error", k.reply("shell", there)["content"]["status"])

    def test_counts_and_ids(self):
        k = self.kernel
        one, two = self.create(), self.create()
        self.assertEqual([one, two], k.ask("control", "list_subshell_request")["subshell_id"])
        self.assertEqual(1, k.reply("shell", k.execute("1", one))["content"]["execution_count"])
        self.assertEqual(2, k.reply("shell", k.execute("1", one))["content"]["execution_count"])
        self.assertEqual(1, k.reply("shell", k.execute("1", two))["content"]["execution_count"])
        self.delete(one), self.delete(two)
        self.assertEqual("error", self.delete(two)["status"])
        self.assertEqual("error", k.reply("shell", k.execute("1", two))["content"]["status"])

    def test_completion_does_not_wait_for_a_cell(self):
        k = self.kernel
        running = k.execute("Thread.sleep(20_000);")
        k.await_("iopub", lambda m: m["msg_type"] == "execute_input" and m["parent_header"]["msg_id"] == running)
        begun = time.monotonic()
        found = k.ask("shell", "complete_request", {"code": "String.val", "cursor_pos": 10})
        self.assertIn("valueOf(", found["matches"])
        self.assertLess(time.monotonic() - begun, 10)
        k.ask("control", "interrupt_request")
        self.assertEqual("error", k.reply("shell", running)["content"]["status"])


class CommTest(OneKernel):

    def open_from_a_cell(self, listener):
        """Opens a comm that calls some Java for each message `m`, and returns its id."""
        id = self.kernel.execute(
            f"""
            import org.meshbook.kernel.spi.Comm;
            import org.meshbook.kernel.display.CurrentScope;
            Comm comm = CurrentScope.find().comms().orElseThrow().open("probe",
                new Comm.Message(Map.of("hi", 1), Map.of("version", "2.1.0"), List.of(new byte[] {{0, -1}})));
            comm.onMessage(m -> {{ {listener} }});
            """
        )
        opened = [m for m in self.kernel.outputs(id) if m["msg_type"] == "comm_open"]
        self.assertEqual("ok", self.kernel.reply("shell", id)["content"]["status"])
        self.assertEqual(1, len(opened))
        self.assertEqual({"hi": 1}, opened[0]["content"]["data"])
        self.assertEqual("2.1.0", opened[0]["metadata"]["version"])
        self.assertEqual([b"\x00\xff"], [bytes(b) for b in opened[0]["buffers"]])
        return opened[0]["content"]["comm_id"]

    def say(self, comm, data, subshell=None):
        return self.kernel.send("shell", "comm_msg", {"comm_id": comm, "data": data}, subshell)

    def test_a_callback_prints_and_answers_under_the_message_that_called_it(self):
        comm = self.open_from_a_cell('System.out.println("heard " + m.data().get("n")); comm.send(Comm.Message.of(m.data()));')
        outputs = self.kernel.outputs(self.say(comm, {"n": [1, None, "x"]}))
        kinds = [m["msg_type"] for m in outputs]
        self.assertEqual(["status", "stream", "comm_msg", "status"], kinds)
        self.assertEqual("heard [1, null, x]\n", outputs[1]["content"]["text"])
        self.assertEqual({"n": [1, None, "x"]}, outputs[2]["content"]["data"])

    def test_a_callback_that_throws_shows_its_trace_and_goes_on(self):
        comm = self.open_from_a_cell('throw new IllegalStateException("as asked");')
        outputs = self.kernel.outputs(self.say(comm, {}))
        text = "".join(m["content"]["text"] for m in outputs if m["msg_type"] == "stream")
        self.assertIn("as asked", text)
        self.assertIn(comm, self.kernel.ask("shell", "comm_info_request", {"target_name": "probe"})["comms"])

    def test_a_callback_that_spins_is_stopped_also_on_a_subshell(self):
        k = self.kernel
        comm = self.open_from_a_cell("while (true) { }")
        sub = k.ask("control", "create_subshell_request")["subshell_id"]
        for shell in (None, sub):
            id = self.say(comm, {}, shell)
            k.await_("iopub", lambda m: m["msg_type"] == "status" and m["parent_header"]["msg_id"] == id)
            time.sleep(0.5)
            k.ask("control", "interrupt_request")
            outputs = k.outputs(id)
            self.assertEqual("status", outputs[-1]["msg_type"])
        k.ask("control", "delete_subshell_request", {"subshell_id": sub})
        self.assertEqual("ok", k.reply("shell", k.execute("1 + 1"))["content"]["status"])

    def test_a_registered_target_takes_what_the_front_end_opens(self):
        k = self.kernel
        k.outputs(
            k.execute(
                """
                org.meshbook.kernel.display.CurrentScope.find().comms().orElseThrow()
                    .register("mine", (c, first) -> c.send(first));
                """
            )
        )
        id = k.send("shell", "comm_open", {"comm_id": "c7", "target_name": "mine", "data": {"a": 1}})
        said = [m["content"] for m in k.outputs(id) if m["msg_type"] == "comm_msg"]
        self.assertEqual([{"comm_id": "c7", "data": {"a": 1}}], said)

    def test_the_front_end_opens_a_comm_that_nobody_takes(self):
        k = self.kernel
        id = k.send("shell", "comm_open", {"comm_id": "c", "target_name": "nobody", "data": {}})
        kinds = [m["msg_type"] for m in k.outputs(id)]
        self.assertEqual(["status", "comm_close", "status"], kinds)

    def test_comm_info_lists_only_what_is_asked_for(self):
        info = self.kernel.ask("shell", "comm_info_request", {"target_name": "nobody"})
        self.assertEqual({"status": "ok", "comms": {}}, info)


class UsageTest(OneKernel):
    def test_the_words_are_those_of_ipykernel(self):
        usage = self.kernel.ask("control", "usage_request")
        for name in ("hostname", "pid", "kernel_cpu", "kernel_memory", "cpu_count", "host_cpu_percent"):
            self.assertIn(name, usage)
        self.assertGreater(usage["host_virtual_memory"]["total"], usage["host_virtual_memory"]["available"])
        self.assertGreater(usage["kernel_memory"], usage["kernel_heap"]["used"] / 10)


class InputTest(OneKernel):
    LINE = "new java.util.Scanner(System.in).nextLine()"

    def test_a_line_is_asked_for(self):
        k = self.kernel
        id = k.execute(self.LINE)
        question = k.client.get_stdin_msg(timeout=PATIENCE)
        self.assertEqual(id, question["parent_header"]["msg_id"])
        k.client.input("Ann")
        result = [m for m in k.outputs(id) if m["msg_type"] == "execute_result"][0]
        self.assertIn("Ann", result["content"]["data"]["text/plain"])

    def test_a_front_end_that_cannot_answer_is_not_asked(self):
        k = self.kernel
        content = k.reply("shell", k.execute(self.LINE, allow_stdin=False))["content"]
        self.assertEqual("error", content["status"])

    def test_an_interrupt_ends_a_question(self):
        k = self.kernel
        id = k.execute(self.LINE)
        k.client.get_stdin_msg(timeout=PATIENCE)
        k.ask("control", "interrupt_request")
        self.assertEqual("error", k.reply("shell", id)["content"]["status"])
        k.client.input("too late")
        self.assertEqual("ok", k.reply("shell", k.execute("1 + 1"))["content"]["status"])


class HistoryTest(unittest.TestCase):
    def history(self, kernel, **query):
        content = dict(output=False, raw=True, hist_access_type="tail", n=10)
        content.update(query)
        return [tuple(line) for line in kernel.ask("shell", "history_request", content)["history"]]

    def test_cells_of_two_kernels_are_found_by_a_third(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, MESHBOOK_HISTORY=folder)
            for n in (1, 2):
                kernel = Kernel.start(env=environment)
                kernel.reply("shell", kernel.execute(f"int n = {n};"))
                kernel.reply("shell", kernel.execute(f"{n} * 21"))
                kernel.reply("shell", kernel.execute("int secret = 0;", store_history=False))
                kernel.reply("shell", kernel.execute("int hidden = 0;", silent=True))
                kernel.close()
            kernel = Kernel.start(env=environment)
            try:
                self.assertEqual(
                    [(1, 1, "int n = 1;"), (1, 2, "1 * 21"), (2, 1, "int n = 2;"), (2, 2, "2 * 21")],
                    self.history(kernel),
                )
                self.assertEqual(
                    [(2, 2, ["2 * 21", "42"])],
                    [(s, l, list(x)) for s, l, x in self.history(kernel, hist_access_type="range", session=-1, start=2, output=True)],
                )
                self.assertEqual(
                    [(2, 2, "2 * 21")],
                    self.history(kernel, hist_access_type="search", pattern="2 *2?", n=5, unique=True),
                )
            finally:
                kernel.close()
            mode = os.stat(os.path.join(folder, "history.jsonl")).st_mode
            self.assertEqual(0o600, stat.S_IMODE(mode))

    def test_what_is_switched_off_is_not_kept(self):
        with tempfile.TemporaryDirectory() as home:
            environment = dict(os.environ, MESHBOOK_HISTORY="off", XDG_STATE_HOME=home)
            kernel = Kernel.start(env=environment)
            kernel.reply("shell", kernel.execute("1 + 1"))
            kernel.close()
            self.assertEqual([], os.listdir(home))


class CurveTest(unittest.TestCase):
    def test_an_encrypted_kernel_serves_an_encrypted_client(self):
        manager = KernelManager(kernel_name=KERNEL)
        if not hasattr(manager, "transport_encryption"):
            self.skipTest("this jupyter_client knows no encryption")
        manager.transport_encryption = "required"
        manager.start_kernel()
        client = manager.client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=60)
            info = manager.get_connection_info()
            self.assertEqual(40, len(info["curve_publickey"]))
            kernel = Kernel(manager, client)
            self.assertEqual("x\n", kernel.printed(kernel.execute('System.out.println("x");')))
            client.hb_channel.unpause()
            time.sleep(1.5)
            self.assertTrue(client.hb_channel.is_beating())
            plain = zmq.Context.instance().socket(zmq.REQ)
            plain.linger, plain.rcvtimeo = 0, 700
            plain.connect(f"tcp://{info['ip']}:{info['hb_port']}")
            plain.send(b"ping")
            with self.assertRaises(zmq.Again):
                plain.recv()
            plain.close()
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


class RegistrationTest(unittest.TestCase):
    """The start-up handshake: this test is the one who starts kernels."""

    def setUp(self):
        spec = KernelSpecManager().get_kernel_spec(KERNEL)
        self.assertEqual("5.6", spec.to_dict().get("kernel_protocol_version", "5.6"))
        self.argv = spec.argv
        self.key = uuid.uuid4().hex
        self.folder = tempfile.TemporaryDirectory()
        self.registrar = zmq.Context.instance().socket(zmq.ROUTER)
        self.registrar.linger, self.registrar.rcvtimeo = 0, PATIENCE * 1000
        self.port = self.registrar.bind_to_random_port("tcp://127.0.0.1")

    def tearDown(self):
        self.registrar.close()
        self.folder.cleanup()

    def sign(self, content):
        return hmac.new(self.key.encode(), content, hashlib.sha256).hexdigest().encode()

    def start(self):
        file = os.path.join(self.folder.name, "registration.json")
        with open(file, "w") as out:
            json.dump(
                dict(
                    kernel_id="k1", transport="tcp", registration_ip="127.0.0.1", registration_port=self.port,
                    signature_scheme="hmac-sha256", key=self.key,
                ),
                out,
            )
        argv = [word.replace("{connection_file}", file) for word in self.argv]
        return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_a_kernel_says_where_it_listens_and_serves_there(self):
        process = self.start()
        try:
            identity, mark, signature, content = self.registrar.recv_multipart()
            self.assertEqual((b"<IDS|MSG>", self.sign(content)), (mark, signature))
            self.registrar.send_multipart([identity, b"<IDS|MSG>", self.sign(b"ACK"), b"ACK"])
            told = json.loads(content)
            self.assertEqual("k1", told["kernel_id"])
            manager = KernelManager(kernel_name=KERNEL)
            manager.load_connection_info(
                dict({n: told[n] for n in told if n.endswith("_port")}, transport="tcp", ip="127.0.0.1",
                     signature_scheme="hmac-sha256", key=self.key)
            )
            client = manager.client()
            client.start_channels()
            client.wait_for_ready(timeout=60)
            file = os.path.join(self.folder.name, "kernel-k1.json")
            self.assertEqual(0o600, stat.S_IMODE(os.stat(file).st_mode))
            with open(file) as written:
                self.assertEqual(told["shell_port"], json.load(written)["shell_port"])
            client.shutdown()
            client.stop_channels()
            self.assertEqual(0, process.wait(timeout=10))
            self.assertFalse(os.path.exists(file))
        finally:
            process.kill()
            process.communicate()

    def test_a_kernel_that_nobody_acknowledges_leaves_and_says_so(self):
        process = self.start()
        _, errors = process.communicate(timeout=PATIENCE)
        self.assertNotEqual(0, process.returncode)
        self.assertEqual(1, len(errors.strip().splitlines()), errors)
        self.assertIn(f"127.0.0.1:{self.port}", errors)


if __name__ == "__main__":
    unittest.main(verbosity=2)
