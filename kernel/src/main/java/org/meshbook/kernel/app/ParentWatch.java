package org.meshbook.kernel.app;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Notices that the front end is gone, so that no kernel is left behind.
///
/// A front end that names itself in `JPY_PARENT_PID` is the one that counts; it need not be our
/// parent, because a shell may stand between. Otherwise it is the process that started us. The
/// operating system tells nobody about the end of a process that is not his child: it is looked for
/// twice a second. A parent that has ended but is not yet reaped shows in that we were given
/// another one.
final class ParentWatch {
    private static final Duration PERIOD = Duration.ofMillis(500);
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
                    if (!front.isAlive() || (child && adopted(front.pid()))) {
                        timer.shutdown();
                        gone.run();
                    }
                };
        var period = PERIOD.toMillis();
        var unused = timer.scheduleWithFixedDelay(look, period, period, TimeUnit.MILLISECONDS);
    }

    private static boolean adopted(long first) {
        return parent().map(process -> process.pid() != first).orElse(true);
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
