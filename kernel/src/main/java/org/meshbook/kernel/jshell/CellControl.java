package org.meshbook.kernel.jshell;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import jdk.jshell.execution.DirectExecutionControl;
import jdk.jshell.spi.SPIResolutionException;
import org.jspecify.annotations.Nullable;

/// JShell's hands in this process: weaves, loads and redefines the classes of snippets and runs
/// them on the cell's thread.
///
/// Owned by the thread that holds the shell's lock.
final class CellControl extends DirectExecutionControl {
    private static final String PREFIX = "REPL.";

    private final ShellLock lock;
    private final Places places;
    private final CellClasses classes;
    private final Weaver weaver;
    private final KeptVariables kept = new KeptVariables();
    private final Map<String, Set<String>> made = new HashMap<>();
    private @Nullable Evaluation current;
    private @Nullable Method ran;

    CellControl(ShellLock lock, Places places) {
        this(lock, places, new CellClasses());
    }

    private CellControl(ShellLock lock, Places places, CellClasses classes) {
        super(classes);
        this.lock = lock;
        this.places = places;
        this.classes = classes;
        weaver = new Weaver(classes.loader());
    }

    static boolean isCellClass(String name) {
        return name.startsWith(PREFIX);
    }

    ClassLoader loader() {
        return classes.loader();
    }

    KeptVariables kept() {
        return kept;
    }

    /// Lets go of what a snippet's variables hold, and of its class files.
    ///
    /// @param snippet JShell's number of one that is gone
    /// @return the names of its classes
    Set<String> takeClasses(String snippet) {
        var names = made.remove(snippet);
        if (names == null) {
            return Set.of();
        }
        names.forEach(
                name -> {
                    kept.forget(name);
                    classes.forget(name);
                });
        return names;
    }

    /// Lets go of what a snippet's variables hold.
    ///
    /// @param snippet JShell's number of one that was dropped, and may be declared again
    void empty(String snippet) {
        made.getOrDefault(snippet, Set.of()).forEach(classes::empty);
    }

    /// Makes what JShell asks for from now on part of an evaluation.
    void begin(Evaluation evaluation) {
        current = evaluation;
    }

    @Override
    public void load(ClassBytecodes[] classes)
            throws ClassInstallException, NotImplementedException, EngineTerminationException {
        super.load(weaver.weave(classes));
        for (var each : classes) {
            places.made(each.name(), mine().origin());
            made.computeIfAbsent(KeptVariables.index(each.name()), _ -> new TreeSet<>())
                    .add(each.name());
            try {
                kept.loaded(findClass(each.name())).forEach(name -> mine().reset().add(name));
            } catch (ClassNotFoundException e) {
                throw new ClassInstallException("load: " + e.getMessage(), new boolean[0]);
            }
        }
    }

    @Override
    public void redefine(ClassBytecodes[] classes)
            throws ClassInstallException, NotImplementedException, EngineTerminationException {
        var instrumentation = Agent.instrumentation();
        if (instrumentation.isEmpty()) {
            super.redefine(classes);
            return;
        }
        var woven = weaver.weave(classes);
        var done = new boolean[classes.length];
        for (var i = 0; i < woven.length; i++) {
            try {
                var known = findClass(woven[i].name());
                instrumentation
                        .get()
                        .redefineClasses(new ClassDefinition(known, woven[i].bytecodes()));
                classesRedefined(new ClassBytecodes[] {woven[i]});
                done[i] = true;
            } catch (ClassNotFoundException
                    | UnmodifiableClassException
                    | UnsupportedOperationException
                    | LinkageError e) {
                // The VM takes new bodies only; JShell then makes a class of a new name.
                throw new ClassInstallException("redefine: " + e.getMessage(), done);
            }
        }
    }

    /// Runs a snippet's code. The lock is free meanwhile: what others evaluate then is theirs.
    ///
    /// What the code throws is kept as it is. JShell would make its own of it, and for that call
    /// the exception's methods, which may be the user's, under the lock.
    @Override
    protected String invoke(Method snippet) throws Exception {
        var mine = mine();
        var holds = lock.release();
        try {
            mine.returned(run(mine.thread(), snippet));
            return "";
        } catch (InvocationTargetException e) {
            var thrown = e.getCause();
            mine.threw(thrown);
            if (thrown instanceof SPIResolutionException) {
                // A declaration that waits for others: JShell knows which.
                throw e;
            }
            throw new StoppedException();
        } catch (UserThread.Left | CellStopped e) {
            mine.threw(e);
            throw new StoppedException();
        } finally {
            lock.retake(holds);
            current = mine;
            ran = snippet;
        }
    }

    /// Runs a snippet's code once more, without JShell.
    void again(Method snippet, Evaluation evaluation) {
        begin(evaluation);
        try {
            invoke(snippet);
        } catch (Exception e) {
            // What the code threw is in the evaluation, as it is.
            if (evaluation.thrown() == null) {
                evaluation.threw(e);
            }
        } finally {
            // A result is kept by those who keep results.
            KeptVariables.clear(snippet.getDeclaringClass());
        }
    }

    /// @param snippet JShell's number of one that was run just now
    /// @return what ran it
    Optional<Method> code(String snippet) {
        return Optional.ofNullable(ran)
                .filter(m -> KeptVariables.index(m.getDeclaringClass().getName()).equals(snippet));
    }

    private static @Nullable Object run(@Nullable UserThread thread, Method snippet)
            throws Exception {
        if (thread == null) {
            return snippet.invoke(null);
        }
        thread.runs(KeptVariables.index(snippet.getDeclaringClass().getName()));
        return thread.snippet(() -> snippet.invoke(null));
    }

    private Evaluation mine() {
        return Objects.requireNonNull(current, "nothing is being evaluated");
    }
}
