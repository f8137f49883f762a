package org.meshbook.kernel.widgets;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Scope;
import org.meshbook.kernel.display.Scope.End;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.widgets.model.Pace;

/// The bars of one thread, each inside the one above it, painted together: as a display that is
/// replaced, or on one line of a terminal. Over when the outermost has ended.
final class Bars {
    private static final Duration GAP = Duration.ofMillis(100);
    private static final int MOST_BARS = 8;
    private static final Set<Bar.State> OPEN = EnumSet.of(Bar.State.RUNNING, Bar.State.STOPPED);
    private static final ThreadLocal<@Nullable Bars> MINE = new ThreadLocal<>();

    private final @Nullable Scope scope = CurrentScope.find();
    private final String id = UUID.randomUUID().toString();
    private final Pace pace = new Pace(GAP, this::paint);
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Bar> bars = new ArrayList<>();
    private volatile @Nullable Bar innermost;
    private boolean shown;
    private boolean lineEnded;
    private boolean over;
    private int lineLength;

    private Bars() {
        if (scope == null || !scope.onEnd(this::cellEnded)) {
            watch(Thread.currentThread());
        }
    }

    /// @return those of the calling thread, or new ones
    static Bars mine() {
        var bars = MINE.get();
        if (bars == null || bars.isOver()) {
            bars = new Bars();
            MINE.set(bars);
        }
        return bars;
    }

    /// A thread that is no cell's own may die in its loop.
    private void watch(Thread owner) {
        var unused =
                Thread.ofVirtual()
                        .inheritInheritableThreadLocals(false)
                        .name("progress of " + owner.getName())
                        .start(
                                () -> {
                                    try {
                                        owner.join();
                                        cellEnded(End.FAILED);
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
    }

    private boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    void add(Bar bar) {
        lock.lock();
        try {
            // One loop after the other needs one line.
            while (bar.isLoop() && bars.size() > 1 && isOverLoop(bars.getLast())) {
                bars.removeLast();
            }
            if (bars.size() >= MOST_BARS) {
                bars.stream()
                        .skip(1)
                        .filter(b -> !b.isRunning())
                        .findFirst()
                        .ifPresent(bars::remove);
            }
            bars.add(bar);
            innermost = bar;
            over = false;
        } finally {
            lock.unlock();
        }
        pace.ask();
    }

    private static boolean isOverLoop(Bar bar) {
        return bar.isLoop() && !bar.isRunning();
    }

    void moved(Bar bar) {
        if (innermost != bar) {
            dropInside(bar);
        }
        pace.ask();
    }

    /// A loop that moves on has no loop inside it any more.
    private void dropInside(Bar bar) {
        lock.lock();
        try {
            var at = bars.indexOf(bar);
            if (at < 0) {
                return;
            }
            var inside = bars.subList(at + 1, bars.size());
            inside.removeIf(
                    one -> bar.isLoop() ? one.isLoop() || !one.isRunning() : isOverLoop(one));
            innermost = inside.isEmpty() ? bar : innermost;
        } finally {
            lock.unlock();
        }
    }

    /// @param end how it ended; null if that is not known before its cell has
    void end(Bar bar, @Nullable End end) {
        if (!bar.isRunning()) {
            return;
        }
        dropInside(bar);
        bar.state(state(end));
        boolean last;
        lock.lock();
        try {
            // One that stopped early may have failed: its cell will tell.
            over = bars.stream().noneMatch(one -> OPEN.contains(one.state()));
            last = over;
        } finally {
            lock.unlock();
        }
        if (last) {
            pace.now();
        } else {
            pace.ask();
        }
    }

    private static Bar.State state(@Nullable End end) {
        return switch (end) {
            case null -> Bar.State.STOPPED;
            case DONE -> Bar.State.DONE;
            case FAILED -> Bar.State.FAILED;
            case INTERRUPTED -> Bar.State.INTERRUPTED;
        };
    }

    private void cellEnded(End end) {
        List<Bar> open;
        lock.lock();
        try {
            if (over || bars.isEmpty()) {
                return;
            }
            over = true;
            open = bars.stream().filter(bar -> OPEN.contains(bar.state())).toList();
        } finally {
            lock.unlock();
        }
        if (end == End.DONE) {
            // One that is moved by hand may be moved on by another cell or thread.
            open.stream().filter(Bar::isLoop).forEach(bar -> bar.state(Bar.State.STOPPED));
        } else {
            open.forEach(bar -> bar.state(state(end)));
        }
        pace.now();
    }

    private void paint() {
        if (scope == null) {
            return;
        }
        lock.lock();
        List<Bar> now;
        boolean first;
        boolean last;
        try {
            now = List.copyOf(bars);
            first = !shown;
            last = over;
            shown = true;
        } finally {
            lock.unlock();
        }
        if (!scope.replaces()) {
            line(now, last);
            return;
        }
        var data =
                DisplayData.text(BarLook.text(now)).and("text/html", BarLook.html(now)).withId(id);
        if (first) {
            scope.display(data);
        } else {
            scope.update(data);
        }
    }

    private void line(List<Bar> now, boolean last) {
        if (lineEnded && last) {
            return;
        }
        lineEnded = last;
        var text = BarLook.line(now);
        var padded = text + " ".repeat(Math.max(0, lineLength - text.length()));
        lineLength = text.length();
        var bytes = ("\r" + padded + (last ? "\n" : "")).getBytes(UTF_8);
        if (scope != null) {
            scope.write(false, bytes, 0, bytes.length);
        }
    }
}
