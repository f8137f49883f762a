package org.meshbook.kernel.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Notices that the front end is gone, so that no kernel is left behind.
///
/// A front end that names itself in `JPY_PARENT_PID` is the one that counts; it need not be our
/// parent, because a shell may stand between. Otherwise it is the process that started us. The
/// operating system tells nobody about the end of a process that is not his child: it is looked for
/// four times a second. Whatever hinders an orderly end, the process is gone 2 seconds after the
/// end of the front end was seen. One that has ended but is not yet reaped shows as a zombie, or in
/// that we were given another parent.
final class ParentWatch {
    private static final Duration PERIOD = Duration.ofMillis(250);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final long INIT = 1;

    private ParentWatch() {}

    /// @param gone called once, on a thread of its own
    static void start(Runnable gone) {
        var parent = parent();
        var named = named();
        var watched = named.or(() -> parent).filter(process -> process.pid() != INIT);
        if (watched.isEmpty()) {
            return;
        }
        var front = watched.get();
        var child = parent.isPresent() && parent.get().pid() == front.pid();
        var timer =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("meshbook-parent").factory());
        Runnable look =
                () -> {
                    if (!front.isAlive()
                            || (child && adopted(front.pid()))
                            || isZombie(front.pid())) {
                        var unused =
                                timer.schedule(
                                        () -> Runtime.getRuntime().halt(1),
                                        GRACE.toMillis(),
                                        TimeUnit.MILLISECONDS);
                        timer.shutdown();
                        Thread.ofPlatform().daemon().name("meshbook-orphan").start(gone);
                    }
                };
        var period = PERIOD.toMillis();
        var unused = timer.scheduleWithFixedDelay(look, period, period, TimeUnit.MILLISECONDS);
    }

    private static boolean adopted(long first) {
        return parent().map(process -> process.pid() != first).orElse(true);
    }

    /// Where there is no `/proc`, nobody is one.
    private static boolean isZombie(long pid) {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), ISO_8859_1);
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return false;
        }
    }

    private static Optional<ProcessHandle> parent() {
        return ProcessHandle.current().parent();
    }

    /// One that cannot be seen from here, as from a container, is not watched.
    private static Optional<ProcessHandle> named() {
        try {
            var pid = Long.parseLong(System.getenv().getOrDefault("JPY_PARENT_PID", ""));
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
