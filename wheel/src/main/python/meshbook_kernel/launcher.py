"""Starts Java in the place of this process; without a JDK, a kernel that says how to get one."""
import os
import pathlib
import shlex
import subprocess
import sys

from . import jdk, startcache

HERE = pathlib.Path(__file__).resolve().parent
JAR = HERE / "jars" / "meshbook.jar"


def java(home, words):
    """The command for the jar; words --jvm-arg=OPTION before the command are options for Java."""
    words = list(words)
    options = shlex.split(os.environ.get("MESHBOOK_JAVA_OPTS", ""), posix=os.name != "nt")
    while words and words[0].startswith("--jvm-arg="):
        options.append(words.pop(0)[len("--jvm-arg="):])
    command = [str(jdk.program(home, "java"))]
    command += startcache.options(home, JAR)
    if not any(o.startswith("-XX:+Use") and o.endswith("GC") for o in options):
        command.append("-XX:+UseSerialGC")
    if not any(o.startswith("-Xm") for o in options):
        # A small heap at first: by itself Java would fill a 64th of the machine with garbage, and hold it.
        command.append("-Xms64m")
    command += ["--enable-native-access=ALL-UNNAMED", *options]
    if own_script():
        command.append(f"-Dmeshbook.launcher={own_script()}")
    return [*command, f"-Dmeshbook.typed.in={os.getcwd()}", "-jar", str(JAR), *words]


def own_script():
    """The program `meshbook` that pip made beside this Python; what `meshbook install` writes down."""
    script = pathlib.Path(sys.executable).parent / ("meshbook.exe" if os.name == "nt" else "meshbook")
    return script if script.is_file() else None


def become(command):
    """One process: a launcher that stays would have to pass on signals, and be outlived."""
    if os.name != "nt":
        os.execv(command[0], command)
    # Windows cannot; the kernel watches for the end of the front end by itself.
    process = subprocess.Popen(command)
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:
            continue  # it is Java's, too


def kernel():
    words = sys.argv[1:]
    file = words[words.index("-f") + 1] if "-f" in words[:-1] else (words[0] if words else "")
    if not file:
        sys.exit("usage: python -m meshbook_kernel -f CONNECTION_FILE")
    try:
        home = jdk.find()
    except jdk.NoJdk as missing:
        from . import fallback

        fallback.run(file, str(missing))
        return
    startcache.train_later(home, JAR, HERE / "training.ipynb")
    become(java(home, ["kernel", file]))


def command():
    try:
        home = jdk.find()
    except jdk.NoJdk as missing:
        sys.exit(f"meshbook: {missing}")
    become(java(home, sys.argv[1:]))
