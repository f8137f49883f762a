"""The start-up cache: classes as a first run left them, in the user's cache folder.

A name holds what it is for, the jars and the JDK: what no longer fits has another name. Never needed, so that no failure here counts.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from . import jdk

OLD_SECONDS = 30 * 24 * 3600
BROKEN_SECONDS = 3600
PATIENCE_SECONDS = 900
DELAY_SECONDS = 15


def folder():
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(base) / "meshbook"


def file(home, jar):
    """Where the cache for these jars and this JDK is or will be."""
    key = hashlib.sha256()
    facts = jdk.facts(home)
    for fact in ("JAVA_RUNTIME_VERSION", "JAVA_VERSION", "IMPLEMENTOR", "OS_ARCH"):
        key.update((facts.get(fact, "") + "\n").encode())
    for path in [jar, *sorted((jar.parent / "lib").rglob("*.jar"))]:
        status = path.stat()
        # Java checks size and time, too, and the path: it is in there.
        key.update(f"{path} {status.st_size} {int(status.st_mtime)}\n".encode())
    return folder() / f"start-{key.hexdigest()[:24]}.aot"


def options(home, jar):
    """What makes Java use the cache, if there is one. Its own log is off: what no longer fits is nobody's concern."""
    try:
        cache = file(home, jar)
        if cache.is_file() and cache.stat().st_size > 0:
            os.utime(cache)
            return [
                "-Xlog:disable", f"-XX:AOTCache={cache}",
                f"-Dmeshbook.head.aot={cache}", f"-Dmeshbook.worker.aot={cache}",
            ]
    except OSError:
        pass
    return []


def train_later(home, jar, notebook):
    """Makes the cache in a process of its own, when the machine has had time for the kernel's start."""
    try:
        cache = file(home, jar)
        if os.environ.get("MESHBOOK_CACHE") == "off" or cache.exists():
            return
        cache.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        claim = cache.with_suffix(".claim")
        try:
            if time.time() - claim.stat().st_mtime < BROKEN_SECONDS:
                return  # somebody is at it, or it failed a moment ago
        except FileNotFoundError:
            pass
        claim.write_text(str(os.getpid()))
        subprocess.Popen(
            [sys.executable, "-m", "meshbook_kernel.startcache", str(home), str(jar), str(notebook)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=os.name != "nt",
            creationflags=0x00000008 | 0x00004000 if os.name == "nt" else 0,  # detached, below normal
        )
    except OSError:
        pass


def train(home, jar, notebook):
    cache = file(home, jar)
    cache.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = cache.with_suffix(f".{os.getpid()}.new")
    environment = {k: v for k, v in os.environ.items() if k != "JPY_PARENT_PID"}
    environment["MESHBOOK_HISTORY"] = "off"
    own = tempfile.mkdtemp(prefix="meshbook-")
    environment["MESHBOOK_RUNTIME_DIR"] = own  # a head of its own, so that nobody's slices are touched
    try:
        subprocess.run(
            [
                str(jdk.program(home, "java")), "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
                f"-XX:AOTCacheOutput={fresh}", "-jar", str(jar), "run", str(notebook),
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=PATIENCE_SECONDS, cwd=str(cache.parent), env=environment,
        )
        if fresh.is_file() and fresh.stat().st_size > 0:
            os.replace(fresh, cache)
    except (OSError, subprocess.SubprocessError):
        pass
    finally:
        for left in [*cache.parent.glob(f"{fresh.name}*"), cache.with_suffix(".claim")]:
            if cache.exists() or left.suffix != ".claim":  # one that failed is not tried again at once
                left.unlink(missing_ok=True)
        shutil.rmtree(own, ignore_errors=True)
        sweep(cache)


def sweep(kept):
    """Caches of jars that are gone, or that nobody used for a month."""
    for other in kept.parent.glob("start-*"):
        if other.stem != kept.stem and time.time() - other.stat().st_mtime > OLD_SECONDS:
            other.unlink()


if __name__ == "__main__":
    if os.name != "nt":
        os.nice(19)
    time.sleep(DELAY_SECONDS)
    train(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
