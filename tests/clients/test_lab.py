"""JupyterLab in Chromium, driven by clicks and keys as a person would.

    JUPYTER_PATH=PREFIX/share/jupyter python -m unittest -v test_lab

after `./meshbook install --prefix PREFIX`, with jupyterlab, ipywidgets and playwright from PyPI and a Chromium of the
system. MESHBOOK_SCREENSHOTS names a folder for pictures; without it, a folder of its own is made for failures.
"""
import json
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

try:
    from playwright.sync_api import expect, sync_playwright
except ImportError:  # only CI must have it
    sync_playwright = None

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = int(os.environ.get("MESHBOOK_PATIENCE", "45")) * 1000  # milliseconds; a loaded machine may need them
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]


def missing():
    if sync_playwright is None:
        return "playwright is not installed here: pip install playwright jupyterlab ipywidgets"
    if CHROMIUM is None:
        return "no chromium in PATH: apt-get install chromium"
    return None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Lab:
    """A JupyterLab of our own: loopback, a token, a folder that goes with it."""

    def __init__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="meshbook-lab."))
        self.token = secrets.token_hex(16)
        self.log = self.root / ".lab.log"
        self.settings("apputils-extension", "notification", {"fetchNews": "false", "checkForUpdates": False})
        self.settings("notebook-extension", "tracker", {"windowingMode": "none"})
        # Only the keys that a test presses open the completer.
        self.settings("completer-extension", "manager", {"autoCompletion": False, "providerTimeout": 20000})
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        with self.log.open("w") as log:
            self.process = self.start(port, log)
        self.await_answer()

    def start(self, port, log):
        return subprocess.Popen(
            [
                sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
                f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={self.root}",
                f"--LabApp.user_settings_dir={self.root / '.settings'}",
                f"--LabApp.workspaces_dir={self.root / '.workspaces'}", "--expose-app-in-browser",
            ],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
        )

    def settings(self, extension, plugin, values):
        folder = self.root / ".settings" / "@jupyterlab" / extension
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{plugin}.jupyterlab-settings").write_text(json.dumps(values))

    def await_answer(self):
        deadline = time.monotonic() + PATIENCE / 1000
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/api?token={self.token}", timeout=5).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.close()
                    raise RuntimeError("jupyter lab does not answer") from None
                time.sleep(0.1)  # between two tries; nothing tells when it listens

    def close(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(15)
        shutil.rmtree(self.root, ignore_errors=True)


@unittest.skipIf(missing() and not os.environ.get("CI"), missing())
class LabTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if missing():
            raise AssertionError(missing())
        cls.lab = Lab()
        cls.addClassCleanup(cls.lab.close)
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        cls.addClassCleanup(cls.browser.close)
        cls.screenshots = os.environ.get("MESHBOOK_SCREENSHOTS")
        expect.set_options(timeout=PATIENCE)
        cls.problems = []
        cls.page = cls.browser.new_page(viewport={"width": 1300, "height": 1000})
        cls.page.set_default_timeout(PATIENCE)
        cls.page.on("pageerror", lambda e: cls.problems.append(str(e).splitlines()[0]))
        cls.load()

    @classmethod
    def load(cls, path=""):
        cls.page.goto(f"{cls.lab.url}/lab{path}?token={cls.lab.token}&reset", wait_until="load")
        cls.page.wait_for_function("() => window.jupyterapp?.serviceManager.isReady")
        cls.page.evaluate("async () => { await window.jupyterapp.restored; }")

    def setUp(self):
        self.problems.clear()

    def tearDown(self):
        result = self._outcome.result
        if any(test is self for test, _ in result.failures + result.errors):
            self.picture("failed-" + self.id().rsplit(".", 1)[-1])
        self.page.keyboard.press("Escape")
        # Every kernel ends with its test; the page stays, because loading one takes longest.
        self.page.evaluate(
            """async () => {
                const app = window.jupyterapp;
                for (const widget of [...app.shell.widgets('main')]) {
                    widget.context?.model && (widget.context.model.dirty = false);
                    widget.dispose();
                }
                await app.serviceManager.sessions.shutdownAll();
            }"""
        )

    # What a person does.

    def picture(self, name):
        folder = pathlib.Path(self.screenshots or tempfile.mkdtemp(prefix="meshbook-pictures."))
        folder.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(folder / f"{name}.png"))
        print(f"picture: {folder / name}.png", file=sys.stderr)

    def open(self, *cells):
        """Opens a new notebook of these cells and waits until its kernel is there."""
        name = self.id().rsplit(".", 1)[-1] + ".ipynb"
        notebook = {
            "cells": [
                {"cell_type": "code", "id": f"c{n}", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
                for n, source in enumerate(cells)
            ],
            "metadata": {
                "kernelspec": {"display_name": "Java (Meshbook)", "language": "java", "name": "meshbook"},
                "language_info": {"name": "java"},
            },
            "nbformat": 4, "nbformat_minor": 5,
        }
        (self.lab.root / name).write_text(json.dumps(notebook))
        self.page.evaluate("path => window.jupyterapp.commands.execute('docmanager:open', {path, factory: 'Notebook'})", name)
        self.idle()
        expect(self.panel().locator(".jp-CodeCell")).to_have_count(len(cells))
        self.cell(0).locator(".cm-content").click()

    def panel(self):
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")

    def idle(self):
        """Waits for the kernel; what the page shows says so before it is connected."""
        self.page.wait_for_function(
            """() => {
                const kernel = window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel;
                return kernel?.connectionStatus === 'connected' && kernel.status === 'idle';
            }"""
        )

    def menu(self, title, command):
        self.page.get_by_role("menuitem", name=title, exact=True).click()
        self.page.locator(f"li.lm-Menu-item[data-command='{command}']").first.click()

    def run_all(self):
        self.menu("Run", "runmenu:run-all")

    def cell(self, n):
        return self.panel().locator(".jp-CodeCell").nth(n)

    def prompt(self, n):
        return self.cell(n).locator(".jp-InputPrompt")

    def output(self, n):
        return self.cell(n).locator(".jp-Cell-outputWrapper")

    def run_cell(self, n):
        self.cell(n).locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")

    def type_at_end(self, n, text):
        self.cell(n).locator(".cm-content").click()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.type(text)

    # What must be so.

    def test_run_all_restart_and_run_again(self):
        self.open("int n = 20;", "n * 2 + 2", 'System.out.println("printed");')
        self.run_all()
        expect(self.output(1)).to_contain_text("42")
        expect(self.output(2)).to_contain_text("printed")
        self.menu("Kernel", "runmenu:restart-and-run-all")
        self.page.locator(".jp-Dialog button.jp-mod-accept").click()
        expect(self.prompt(2)).to_have_text("[3]:")
        expect(self.prompt(1)).to_have_text("[2]:")
        expect(self.output(1)).to_contain_text("42")
        self.idle()
        self.assertEqual([], self.problems)

    def test_interrupt_ends_a_spinning_cell_and_the_next_one_runs(self):
        self.open('System.out.println("begun"); while (true) { }', "1 + 1")
        self.run_cell(0)
        expect(self.output(0)).to_contain_text("begun")
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("i")
        self.page.keyboard.press("i")
        expect(self.output(0)).to_contain_text("KeyboardInterrupt")
        expect(self.prompt(0)).to_have_text("[1]:")
        self.run_cell(1)
        expect(self.output(1)).to_contain_text("2")

    def complete(self, n, text, wanted):
        self.type_at_end(n, text)
        self.page.keyboard.press("Tab")
        items = self.page.locator(".jp-Completer:not(.lm-mod-hidden) .jp-Completer-item")
        expect(items.filter(has_text=wanted).first).to_be_visible()
        self.page.keyboard.press("Escape")

    def test_tab_completes(self):
        self.open("")
        self.complete(0, "Math.", "max")

    def test_tab_completes_while_a_cell_runs(self):
        self.open('System.out.println("begun"); while (true) { }', "")
        self.run_cell(0)
        expect(self.output(0)).to_contain_text("begun")
        self.complete(1, "Math.", "max")
        expect(self.prompt(0)).to_have_text("[*]:")
        self.menu("Kernel", "kernelmenu:interrupt")
        expect(self.output(0)).to_contain_text("KeyboardInterrupt")

    def test_shift_tab_documents(self):
        self.open("")
        self.type_at_end(0, "Math.max(")
        self.page.keyboard.press("Shift+Tab")
        expect(self.page.locator(".jp-Tooltip")).to_contain_text("max")

    def test_scanner_asks_in_a_box(self):
        self.open('var line = new Scanner(System.in).nextLine();\nSystem.out.println("got " + line.length() + line);')
        self.run_cell(0)
        box = self.cell(0).locator("input.jp-Stdin-input")
        box.fill("hello")
        self.assertNotEqual("password", box.get_attribute("type"))
        box.press("Enter")
        expect(self.output(0)).to_contain_text("got 5hello")

    def test_password_is_hidden(self):
        self.open(PASSWORD_CELL)
        self.run_cell(0)
        box = self.cell(0).locator("input.jp-Stdin-input")
        self.assertEqual("password", box.get_attribute("type"))
        box.fill("secret")
        box.press("Enter")
        expect(self.output(0)).to_contain_text("6 characters")
        expect(self.output(0)).not_to_contain_text("secret")

    def test_slider_moved_by_keys_is_seen_in_java(self):
        self.open('var n = Widgets.slider(0, 10).label("n").onChange(v -> System.out.println("now " + v));\nn', "n.value()", "n.value(9);")
        self.run_cell(0)
        self.output(0).locator(".noUi-handle").focus()
        for key in ["ArrowRight", "ArrowRight", "ArrowRight"]:
            self.page.keyboard.press(key)
        expect(self.output(0)).to_contain_text("now 3")
        self.run_cell(1)
        expect(self.output(1)).to_contain_text("3")
        self.run_cell(2)
        expect(self.output(0).locator(".widget-readout")).to_have_text("9")
        self.assertEqual([], self.problems)

    def test_button_calls_java(self):
        self.open(
            'int clicks = 0;\nvar b = Widgets.button("Press me").onClick(() -> System.out.println("click " + ++clicks));\nb',
            "clicks",
        )
        self.run_cell(0)
        button = self.output(0).get_by_role("button", name="Press me")
        button.click()
        expect(self.output(0)).to_contain_text("click 1")
        button.click()
        expect(self.output(0)).to_contain_text("click 2")
        self.run_cell(1)
        expect(self.output(1)).to_contain_text("2")

    def test_linked_fields_follow_each_other(self):
        self.open('var a = Widgets.text("");\nvar b = Widgets.text("x");\nvar tie = Widgets.link(a, b);\nWidgets.vbox(a, b)')
        self.run_cell(0)
        fields = self.output(0).locator("input[type=text]")
        expect(fields).to_have_count(2)
        fields.nth(0).fill("one")
        expect(fields.nth(1)).to_have_value("one")
        fields.nth(1).fill("two")
        expect(fields.nth(0)).to_have_value("two")

    def test_output_takes_what_a_click_prints(self):
        self.open(
            'var out = Widgets.output();\n'
            'var b = Widgets.button("Print").onClick(() -> out.capture(() -> { System.out.println("inside"); display(html("<b>bold</b>")); }));\n'
            "Widgets.vbox(b, out)"
        )
        self.run_cell(0)
        self.output(0).get_by_role("button", name="Print").click()
        place = self.output(0).locator(".widget-output")
        expect(place).to_contain_text("inside")
        expect(place.locator("b")).to_have_text("bold")

    def test_interact_runs_again_for_a_new_choice(self):
        self.open('Widgets.interact((word, loud) -> loud ? word.toUpperCase() : word, Widgets.dropdown("yes", "no"), Widgets.checkbox("loud"));')
        self.run_cell(0)
        place = self.output(0).locator(".widget-output")
        expect(place).to_contain_text("yes")
        self.output(0).locator("select").select_option("no")
        expect(place).to_contain_text("no")
        self.output(0).locator("input[type=checkbox]").check()
        expect(place).to_contain_text("NO")

    def test_widgets_answer_while_a_cell_runs(self):
        self.open(
            'var stop = Widgets.checkbox("stop");\nstop',
            'System.out.println("begun"); while (!stop.value()) { Thread.onSpinWait(); } System.out.println("ended");',
        )
        self.run_all()
        expect(self.output(1)).to_contain_text("begun")
        self.output(0).locator("input[type=checkbox]").check()
        expect(self.output(1)).to_contain_text("ended")

    def test_progress_ends_full_and_a_failed_one_red(self):
        self.open(
            'for (var x : Progress.range("steps", 20)) { Thread.sleep(10); }',
            'for (var x : Progress.range("bad", 20)) { if (x == 5) throw new IllegalStateException("no"); }',
        )
        self.run_all()
        expect(self.output(0)).to_contain_text("20/20")
        expect(self.output(1)).to_contain_text("5/20, failed")
        expect(self.output(1)).to_contain_text("IllegalStateException")

    def test_debugger_is_not_offered(self):
        self.open("1 + 1")
        buttons = self.page.locator(".jp-NotebookPanel-toolbar .jp-DebuggerBugButton")
        for n in range(buttons.count()):
            expect(buttons.nth(n)).to_have_attribute("aria-disabled", "true")

    def test_page_that_is_loaded_anew_finds_its_widgets(self):
        self.open('var n = Widgets.slider(0, 10).at(4);\nn')
        self.run_cell(0)
        expect(self.output(0).locator(".widget-readout")).to_have_text("4")
        self.page.keyboard.press("Control+s")
        expect(self.page.locator(".jp-mod-dirty")).to_have_count(0)
        self.load("/tree/" + self.id().rsplit(".", 1)[-1] + ".ipynb")
        self.idle()
        expect(self.output(0).locator(".widget-readout")).to_have_text("4")

    def test_theme_may_be_dark(self):
        self.open(SHOW_CELL, 'for (var x : Progress.range("steps", 20)) { }')
        self.page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
        self.run_all()
        expect(self.output(1)).to_contain_text("20/20")
        expect(self.output(0).locator(".widget-readout").first).to_be_visible()
        expect(self.output(0).locator(".progress-bar")).to_be_visible()
        expect(self.output(0).get_by_text("javascript error")).to_have_count(0)
        self.assertEqual([], self.problems)
        if self.screenshots:
            self.picture("dark")
        self.page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Light'})")


PASSWORD_CELL = 'var secret = askSecret("code: ");\nSystem.out.println(secret.length() + " characters");'
SHOW_CELL = """var all = Widgets.vbox(
    Widgets.slider(0, 10).label("whole"), Widgets.slider(0.0, 1.0).label("part"), Widgets.range(0, 9).label("range"),
    Widgets.checkbox("checked", true), Widgets.toggle("toggle"), Widgets.dropdown("one", "two").label("dropdown"),
    Widgets.radio("a", "b").label("radio"), Widgets.toggles("x", "y").label("toggles"), Widgets.select("p", "q").label("select"),
    Widgets.text("text").label("line"), Widgets.textarea("area").label("area"), Widgets.password().label("password"),
    Widgets.number(3).label("int"), Widgets.number(0.5).label("double"), Widgets.meter(0, 10).at(7).label("meter"),
    Widgets.label("a label"), Widgets.html("<b>bold</b>"),
    Widgets.hbox(Widgets.button("plain"), Widgets.button("primary").look("primary"), Widgets.button("danger").look("danger").icon("trash")));
all"""

if __name__ == "__main__":
    unittest.main(verbosity=2)
