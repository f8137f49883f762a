package org.meshbook.kernel.maven;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The libraries of one engine's cells: repositories and BOMs that cells have named, and the way to
/// files. Thread-safe; one resolution at a time.
public final class Maven implements AutoCloseable {
    /// The scopes that running a library needs.
    public static final Set<String> RUNTIME = Set.of("compile", "runtime");

    private static final Duration QUIET = Duration.ofMillis(300);
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration LEAVE = Duration.ofMillis(500);

    private final Semaphore turn = new Semaphore(1);
    private final Libraries libraries = new Libraries();
    private final Map<String, Repository> repositories = new LinkedHashMap<>();
    private final SequencedMap<String, Coordinates> boms = new LinkedHashMap<>();
    private @Nullable Settings settings;
    private @Nullable Resolver resolver;
    private @Nullable List<Path> ownJars;

    /// What one cell wants.
    ///
    /// @param wanted libraries
    /// @param pom a project whose dependencies are wanted
    /// @param exclusions `group:artifact` that are not wanted
    /// @param scopes of the project's dependencies
    /// @param offline whether to use only what is here
    public record Wish(
            List<Coordinates> wanted,
            Optional<Path> pom,
            List<String> exclusions,
            Set<String> scopes,
            boolean offline) {
        /// @param wanted libraries
        /// @return a wish for them alone
        public static Wish of(List<Coordinates> wanted) {
            return new Wish(wanted, Optional.empty(), List.of(), RUNTIME, false);
        }
    }

    /// Finds files.
    ///
    /// @param wish what is wanted
    /// @param progress called on this thread with what happens, once it takes long
    /// @return what was found
    /// @throws MavenFailure if something is missing
    /// @throws InterruptedException if the calling thread was interrupted; downloads are cut
    public Resolved resolve(Wish wish, Consumer<String> progress) throws InterruptedException {
        var latest = new AtomicReference<>("");
        var resolved =
                work(
                        used ->
                                used.resolve(
                                        new Request(
                                                wish.wanted(),
                                                wish.pom(),
                                                boms(),
                                                repositories(),
                                                wish.exclusions(),
                                                wish.scopes(),
                                                wish.offline()),
                                        latest::set),
                        latest,
                        progress);
        resolved.boms().forEach(this::add);
        return resolved;
    }

    /// @param library `group:artifact`
    /// @return its versions that the repositories know, oldest first
    /// @throws InterruptedException if the calling thread was interrupted
    public List<String> versions(Coordinates library) throws InterruptedException {
        return work(
                used -> used.versions(library, repositories(), false),
                new AtomicReference<>(""),
                line -> {});
    }

    private interface Use<T> {
        T by(Resolver resolver);
    }

    private <T> T work(Use<T> use, AtomicReference<String> latest, Consumer<String> progress)
            throws InterruptedException {
        turn.acquire();
        var task = new FutureTask<T>(() -> use.by(resolver()));
        try {
            start(task);
            return await(task, latest, progress);
        } catch (InterruptedException e) {
            cut(task);
            throw e;
        } finally {
            turn.release();
        }
    }

    /// A thread of its own, because reading from a socket heeds no interrupt.
    private static void start(FutureTask<?> task) {
        var thread = Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false);
        var unused = thread.name("maven-resolve").start(task);
    }

    private static <T> T await(
            FutureTask<T> task, AtomicReference<String> latest, Consumer<String> progress)
            throws InterruptedException {
        var begin = System.nanoTime();
        var shown = "";
        while (true) {
            try {
                return task.get(STEP.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                var line = latest.get();
                if (System.nanoTime() - begin > QUIET.toNanos() && !line.equals(shown)) {
                    shown = line;
                    progress.accept(line);
                }
            } catch (ExecutionException e) {
                throw unwrapped(e);
            }
        }
    }

    private static RuntimeException unwrapped(ExecutionException e) {
        return switch (e.getCause()) {
            case RuntimeException failure -> failure;
            case Error error -> throw error;
            case null, default -> new IllegalStateException(e);
        };
    }

    /// Cuts the connections, and waits a moment so that nothing half done is left.
    private void cut(FutureTask<?> task) {
        close();
        try {
            task.get(LEAVE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            // It was told; a thread that is stuck meanwhile is a daemon.
            return;
        }
    }

    private Resolver resolver() {
        var read = settings();
        synchronized (this) {
            if (resolver == null) {
                resolver = OwnLoader.resolver(read, folder(read));
            }
            return resolver;
        }
    }

    /// @return the user's settings, read once
    public Settings settings() {
        synchronized (this) {
            if (settings != null) {
                return settings;
            }
        }
        var read = SettingsFile.ofUser();
        synchronized (this) {
            settings = read;
            return read;
        }
    }

    private static Path folder(Settings settings) {
        var property = System.getProperty("maven.repo.local", "");
        return property.isEmpty()
                ? settings.localRepository()
                        .orElse(Path.of(System.getProperty("user.home"), ".m2", "repository"))
                : Path.of(property);
    }

    /// @return where files are kept
    public LocalRepository local() {
        return new LocalRepository(folder(settings()));
    }

    /// @return where is looked, in order: what cells named, the profiles of settings.xml, Central
    public List<Repository> repositories() {
        var all = new LinkedHashMap<String, Repository>();
        synchronized (this) {
            all.putAll(repositories);
        }
        settings().repositories().forEach(r -> all.putIfAbsent(r.id(), r));
        all.putIfAbsent(Repository.CENTRAL.id(), Repository.CENTRAL);
        return new ArrayList<>(all.values());
    }

    /// @param repository where to look from now on; replaces one of the same id
    public synchronized void add(Repository repository) {
        repositories.put(repository.id(), repository);
    }

    /// @param bom a project that says versions from now on
    public synchronized void add(Coordinates bom) {
        boms.put(bom.library(), bom);
    }

    private synchronized List<Coordinates> boms() {
        // What was named last wins.
        return List.copyOf(boms.sequencedValues().reversed());
    }

    /// Sorts what was found by whether it can be added: the first version loaded stays.
    ///
    /// @param found what was found
    /// @param classPath what is there
    /// @return what is new, and lines about what is there in another version
    public Addition fresh(List<Resolved.Found> found, List<Path> classPath) {
        var jars = new ArrayList<Path>();
        var notes = new ArrayList<String>();
        for (var each : found) {
            if (!each.coordinates().extension().equals("jar")) {
                if (!each.coordinates().extension().equals("pom")) {
                    notes.add(
                            "%s is no jar; it lies at %s"
                                    .formatted(each.coordinates(), each.file()));
                }
                continue;
            }
            var same = libraries.sameAs(classPath, each);
            var own = same.isPresent() ? same : libraries.sameAs(ownJars(), each);
            if (same.isEmpty()) {
                // Ours is not shown to the compiler until a cell asks for it; its classes win.
                jars.add(own.map(Libraries.Library::jar).orElse(each.file()));
            }
            own.filter(library -> !library.version().equals(each.coordinates().version()))
                    .ifPresent(library -> notes.add(stays(each.coordinates(), library)));
        }
        return new Addition(jars, notes);
    }

    private static String stays(Coordinates wanted, Libraries.Library library) {
        return "%s:%s is on the class path already, and stays; %s was not added (the kernel must restart for another version)"
                .formatted(wanted.library(), library.version(), wanted.version());
    }

    private synchronized List<Path> ownJars() {
        if (ownJars == null) {
            ownJars = OwnJars.all();
        }
        return ownJars;
    }

    /// What can be added to a class path.
    ///
    /// @param jars in order
    /// @param notes lines that the user should see
    public record Addition(List<Path> jars, List<String> notes) {
        public Addition {
            jars = List.copyOf(jars);
            notes = List.copyOf(notes);
        }
    }

    /// Ends what runs, and lets go of connections; can be used again.
    @Override
    public void close() {
        Resolver used;
        synchronized (this) {
            used = resolver;
            resolver = null;
        }
        if (used != null) {
            used.close();
        }
    }
}
