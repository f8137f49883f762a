package org.meshbook.elastic.data;

import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.meshbook.elastic.slices.Clock;

/// The machine's clock, which remembers the threads that it started.
final class CountedClock implements Clock {
    private final Clock clock = Clock.system();
    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();

    int started() {
        return tasks.size();
    }

    long running() {
        return tasks.stream().filter(task -> !task.done()).count();
    }

    @Override
    public Task start(String name, Runnable work) {
        var task = clock.start(name, work);
        tasks.add(task);
        return task;
    }

    @Override
    public Instant now() {
        return clock.now();
    }

    @Override
    public Duration elapsed() {
        return clock.elapsed();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        clock.sleep(time);
    }

    @Override
    public boolean await(Duration atMost, BooleanSupplier until) throws InterruptedException {
        return clock.await(atMost, until);
    }

    @Override
    public void wake() {
        clock.wake();
    }
}
