package org.meshbook.magics.maven;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.maven.Coordinates;
import org.meshbook.kernel.maven.Maven;
import org.meshbook.kernel.maven.Repository;
import org.meshbook.kernel.maven.Resolved;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;

/// rapaio's `%dependency`: libraries are proposed first, and found together. Thread-safe.
final class DependencyMagic implements Magic {
    private static final List<String> VERBS =
            List.of(
                    "/add",
                    "/resolve",
                    "/add-repo",
                    "/list-repos",
                    "/list-dependencies",
                    "/list-artifacts");
    private static final List<String> UPDATES = List.of("never", "always", "daily", "interval");

    private final Maven maven;
    private final List<Coordinates> proposed = new ArrayList<>();
    private final List<Coordinates> resolved = new ArrayList<>();
    private final Map<String, Coordinates> artifacts = new TreeMap<>();

    DependencyMagic(Maven maven) {
        this.maven = maven;
    }

    @Override
    public String name() {
        return "dependency";
    }

    @Override
    public Form form() {
        return Form.LINE_AND_CELL;
    }

    @Override
    public String group() {
        return "libraries";
    }

    @Override
    public String help() {
        return """
        Collects libraries and adds them together, as in rapaio's kernel; %maven does both at once.

        %dependency /add COORDINATES [--optional]
        %dependency /resolve
        %dependency /add-repo ID URL [release|UPDATES] [snapshot|UPDATES]
        %dependency /list-repos
        %dependency /list-dependencies
        %dependency /list-artifacts
        %%dependency
        any of these lines, or just COORDINATES; all are resolved at the end

        COORDINATES are group:artifact[:extension[:classifier]]:version. UPDATES is never, always,
        daily or interval.
        """;
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws Exception {
        if (call.body().isBlank()) {
            line(call.arguments(), cell);
            return null;
        }
        if (!call.arguments().isBlank()) {
            line(call.arguments(), cell);
        }
        for (var line : call.body().lines().map(String::strip).toList()) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                var bare = line.replaceFirst("^%dependency\\s+", "");
                line(bare.startsWith("/") ? bare : "/add " + bare, cell);
            }
        }
        if (!proposals().isEmpty()) {
            resolve(cell);
        }
        return null;
    }

    private void line(String typed, Cell cell) throws InterruptedException {
        var words = Words.of(typed);
        var rest = words.isEmpty() ? words : words.subList(1, words.size());
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "/add" -> propose(rest, cell);
            case "/resolve" -> resolve(cell);
            case "/add-repo" -> repository(rest, cell);
            case "/list-repos" -> RepositoryMagic.list(maven, cell);
            case "/list-dependencies" -> list(cell);
            case "/list-artifacts" -> artifacts(cell);
            default ->
                    throw new MagicException(
                            "%%dependency does not understand '%s'%s; it has %s"
                                    .formatted(
                                            typed,
                                            words.isEmpty()
                                                    ? ""
                                                    : Nearest.hint(words.getFirst(), VERBS),
                                            String.join(", ", VERBS)));
        }
    }

    private void propose(List<String> words, Cell cell) {
        var named = words.stream().filter(w -> !w.equals("--optional")).toList();
        if (named.isEmpty()) {
            throw new MagicException(
                    "%dependency /add needs coordinates, as /add com.google.code.gson:gson:2.10.1");
        }
        var coordinates = named.stream().map(Coordinates::parse).toList();
        synchronized (this) {
            proposed.addAll(coordinates);
        }
        coordinates.forEach(
                c -> cell.out().println("proposed " + c + "; %dependency /resolve adds it"));
    }

    private synchronized List<Coordinates> proposals() {
        return List.copyOf(proposed);
    }

    private void resolve(Cell cell) throws InterruptedException {
        var wanted = proposals();
        if (wanted.isEmpty()) {
            cell.out().println("nothing is proposed; %dependency /add COORDINATES does");
            return;
        }
        try {
            var added = new Additions(maven, cell).add(Maven.Wish.of(wanted));
            remember(wanted, added.resolved());
        } finally {
            synchronized (this) {
                proposed.removeAll(wanted);
            }
        }
    }

    private synchronized void remember(List<Coordinates> wanted, Resolved found) {
        resolved.addAll(wanted);
        found.files().forEach(f -> artifacts.put(f.coordinates().toString(), f.coordinates()));
    }

    private void repository(List<String> words, Cell cell) {
        if (words.size() < 2) {
            throw new MagicException(
                    "%dependency /add-repo takes an id and a URL: /add-repo ID URL"
                            + " [release|UPDATES] [snapshot|UPDATES]");
        }
        var base = Repository.of(words.get(0), words.get(1));
        var local = base.url().startsWith("file:");
        var never = new Repository.Policy(true, "never", "");
        var releases = never;
        var snapshots = local ? never : Repository.Policy.NONE;
        for (var word : words.subList(2, words.size())) {
            var parts = word.split("\\|", 2);
            var policy = new Repository.Policy(true, updates(parts), "");
            switch (parts[0]) {
                case "release" -> releases = policy;
                case "snapshot" -> snapshots = policy;
                default ->
                        throw new MagicException(
                                "'%s' is neither release|UPDATES nor snapshot|UPDATES"
                                        .formatted(word));
            }
        }
        maven.add(new Repository(base.id(), base.url(), releases, snapshots));
        cell.out().println("repository " + base + " added");
    }

    private static String updates(String[] parts) {
        var updates = parts.length > 1 ? parts[1] : "always";
        if (!UPDATES.contains(updates)) {
            throw new MagicException(
                    "'%s' is no update policy; there are %s"
                            .formatted(updates, String.join(", ", UPDATES)));
        }
        return updates.equals("interval") ? "interval:60" : updates;
    }

    private synchronized void list(Cell cell) {
        cell.out().println("proposed: " + proposed.size());
        proposed.forEach(c -> cell.out().println("  " + c));
        cell.out().println("resolved: " + resolved.size());
        resolved.forEach(c -> cell.out().println("  " + c));
    }

    private synchronized void artifacts(Cell cell) {
        cell.out().println("artifacts: " + artifacts.size());
        artifacts.keySet().forEach(c -> cell.out().println("  " + c));
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        var word = Words.at(arguments, cursor);
        if (Words.before(arguments, cursor) == 0) {
            return VERBS.stream().filter(v -> v.startsWith(word)).toList();
        }
        return arguments.startsWith("/add ") ? maven.local().complete(word) : List.of();
    }
}
