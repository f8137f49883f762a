package org.meshbook.kernel.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.failure.Frames;
import org.meshbook.kernel.jshell.Shell;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;

/// `%threads`.
///
/// @param shell knows where the classes of cells came from
/// @param running says whether a cell runs now
/// @param stopper stops a thread of a cell
public record ThreadsMagic(
        Supplier<Shell> shell, IntPredicate running, BiConsumer<Integer, Thread> stopper)
        implements Magic {
    private static final String LEFT = "left behind by an interrupt, ";

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public String group() {
        return "session";
    }

    @Override
    public String help() {
        return """
        Lists the threads that cells have started and that still live, or stops some.

        %threads                  each with its cell, its state and where it is
        %threads stop ID          stops one: interrupts it, and ends its loops in cells
        %threads stop cell N      stops those of a cell
        %threads stop all         stops all
        """;
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var words = call.arguments().isBlank() ? new String[0] : call.arguments().split("\\s+");
        var living = CellThreads.living(running);
        if (words.length == 0) {
            cell.out().print(table(living));
            return null;
        }
        if (!words[0].equals("stop") || words.length < 2) {
            throw new MagicException(
                    "%%threads takes nothing or \"stop\" with what to stop, found \"%s\"; %%help threads"
                            .formatted(call.arguments()));
        }
        stop(chosen(words, living), cell);
        return null;
    }

    private static List<CellThread> chosen(String[] words, List<CellThread> living) {
        var byCell = words[1].equals("cell") && words.length == 3;
        if (words[1].equals("all") && words.length == 2) {
            return living;
        }
        if (!byCell && words.length != 2) {
            throw new MagicException(
                    "%threads stop takes an id, \"cell\" and a number, or \"all\"");
        }
        var number = number(words[words.length - 1]);
        var chosen =
                living.stream()
                        .filter(
                                each ->
                                        byCell
                                                ? each.cell() == number
                                                : each.thread().threadId() == number)
                        .toList();
        if (chosen.isEmpty()) {
            throw new MagicException(
                    "%s %d has no living thread of a cell; %%threads lists them"
                            .formatted(byCell ? "cell" : "id", number));
        }
        return chosen;
    }

    private static long number(String word) {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw new MagicException(
                    "\"%s\" is no number; %%threads lists the ids".formatted(word));
        }
    }

    private void stop(List<CellThread> chosen, Cell cell) {
        for (var each : chosen) {
            stopper.accept(each.cell(), each.thread());
        }
        chosen.forEach(each -> awaitEnd(each.thread()));
        for (var each : chosen) {
            var ended =
                    each.thread().isAlive() ? "was told to stop, and still lives" : "is stopped";
            cell.out()
                    .printf(
                            "thread %d \"%s\" %s%n",
                            each.thread().threadId(), each.thread().getName(), ended);
        }
    }

    private static void awaitEnd(Thread thread) {
        try {
            var unused = thread.join(java.time.Duration.ofMillis(300));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String table(List<CellThread> living) {
        if (living.isEmpty()) {
            return "no thread of a cell lives\n";
        }
        var rows = new ArrayList<String>();
        rows.add("%6s %5s  %-24s %-14s %s".formatted("id", "cell", "name", "state", "at"));
        for (var each : living) {
            var thread = each.thread();
            rows.add(
                    "%6d %5d  %-24s %-14s %s%s"
                            .formatted(
                                    thread.threadId(),
                                    each.cell(),
                                    shortened(thread.getName()),
                                    thread.getState(),
                                    each.leftBehind() ? LEFT : "",
                                    Frames.top(shell.get(), thread.getStackTrace())));
        }
        return String.join("\n", rows) + "\n";
    }

    private static String shortened(String name) {
        return name.length() <= 24 ? name : name.substring(0, 21) + "...";
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        var typed = arguments.substring(0, Math.clamp(cursor, 0, arguments.length()));
        var words = typed.split("\\s+", -1);
        var choices =
                words.length <= 1
                        ? Stream.of("stop")
                        : Stream.concat(
                                Stream.of("cell", "all"),
                                CellThreads.living(running).stream()
                                        .map(each -> Long.toString(each.thread().threadId())));
        return choices.filter(word -> word.startsWith(words[words.length - 1])).toList();
    }
}
