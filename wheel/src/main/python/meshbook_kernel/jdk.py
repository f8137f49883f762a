"""Finds a JDK, by the same rules as the launcher of a source tree."""
import glob
import os
import pathlib
import re
import shutil
import subprocess

NEEDED = 25
GET_ONE = (
    "get one from https://adoptium.net or by 'sdk install java 25-tem', then set JAVA_HOME and restart the kernel"
)
WINDOWS = os.name == "nt"
FOLDERS = (
    [r"C:\Program Files\*\jdk*", r"C:\Program Files\Java\*", r"C:\Program Files\*\zulu*"]
    if WINDOWS
    else [
        "/usr/lib/jvm/*",
        "/usr/java/*",
        "/Library/Java/JavaVirtualMachines/*/Contents/Home",
        "~/Library/Java/JavaVirtualMachines/*/Contents/Home",
        "~/.sdkman/candidates/java/*",
        "~/.local/share/mise/installs/java/*",
        "~/.asdf/installs/java/*",
    ]
) + ["~/.jdks/*"]


class NoJdk(Exception):
    """There is none; the message is one line."""


def program(home, name):
    return pathlib.Path(home) / "bin" / (name + ".exe" if WINDOWS else name)


def facts(home):
    """What the release file says; empty if there is none."""
    try:
        text = (pathlib.Path(home) / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    return dict(re.findall(r'^(\w+)="(.*)"', text, re.MULTILINE))


def major(home):
    """Its version, 0 if it is no JDK. The release file tells it without starting Java."""
    if not all(os.access(program(home, p), os.X_OK) for p in ("java", "javac")):
        return 0
    version = facts(home).get("JAVA_VERSION", "")
    if not version:
        try:
            said = subprocess.run(
                [str(program(home, "java")), "-version"], capture_output=True, text=True, timeout=20
            ).stderr
        except (OSError, subprocess.SubprocessError):
            return 0
        found = re.search(r'version "([^"]*)"', said)
        version = found.group(1) if found else ""
    number = re.match(r"\d+", version)
    return int(number.group()) if number else 0


def home_of(place):
    """The JDK's folder for a folder or a java program."""
    path = pathlib.Path(place).expanduser()
    if path.name in ("java", "java.exe") and path.parent.name == "bin":
        return path.resolve().parent.parent
    return path


def candidates():
    yield os.environ.get("JAVA_HOME", "")
    yield shutil.which("java") or ""
    for folder in FOLDERS:
        yield from sorted(glob.glob(os.path.expanduser(folder)))


def find():
    """The folder of a JDK that is new enough."""
    named = os.environ.get("MESHBOOK_JAVA", "")
    if named:
        home = home_of(named)
        if major(home) >= NEEDED:
            return home
        raise NoJdk(
            f"MESHBOOK_JAVA is '{named}', which is no JDK {NEEDED} or newer; name a JDK's folder, or unset it"
        )
    for candidate in candidates():
        if candidate:
            home = home_of(candidate)
            if major(home) >= NEEDED:
                return home
    raise NoJdk(
        f"Meshbook needs a JDK {NEEDED} or newer, and there is none in MESHBOOK_JAVA, JAVA_HOME, on the PATH or in the"
        f" usual folders; {GET_ONE}"
    )
