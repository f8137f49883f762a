package org.meshbook.kernel.jshell;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jshell.execution.DirectExecutionControl;
import org.jspecify.annotations.Nullable;

/// JShell's hands in this process: weaves, loads and redefines the classes of snippets and runs
/// them on the cell's thread.
///
/// Owned by the thread that holds the shell's lock; the lock is free while user code runs.
final class CellControl extends DirectExecutionControl {
    private static final String PREFIX = "REPL.";

    private final ReentrantLock lock;
    private final ClassLoader loader;
    private final Weaver weaver;
    private final KeptVariables kept = new KeptVariables();
    private @Nullable UserThread thread;
    private @Nullable Object value;
    private @Nullable Throwable thrown;

    /// Makes a control with its own class loader, whose parent is the system's.
    static CellControl open(ReentrantLock lock) {
        // The stock delegate tells its loader only by making it the thread's context loader.
        var current = Thread.currentThread();
        var before = current.getContextClassLoader();
        try {
            return new CellControl(lock);
        } finally {
            current.setContextClassLoader(before);
        }
    }

    private CellControl(ReentrantLock lock) {
        super();
        this.lock = lock;
        loader = Thread.currentThread().getContextClassLoader();
        weaver = new Weaver(loader);
    }

    static boolean isCellClass(String name) {
        return name.startsWith(PREFIX);
    }

    ClassLoader loader() {
        return loader;
    }

    KeptVariables kept() {
        return kept;
    }

    /// Says where the next snippet runs, and forgets what came of the last one.
    void prepare(@Nullable UserThread thread) {
        this.thread = thread;
        value = null;
        thrown = null;
        kept.clear();
    }

    @Nullable Object value() {
        return value;
    }

    @Nullable Throwable thrown() {
        return thrown;
    }

    @Override
    public void load(ClassBytecodes[] classes)
            throws ClassInstallException, NotImplementedException, EngineTerminationException {
        super.load(weaver.weave(classes));
        for (var each : classes) {
            try {
                kept.loaded(findClass(each.name()));
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

    @Override
    protected String invoke(Method snippet) throws Exception {
        var runner = thread;
        var holds = lock.getHoldCount();
        for (var i = 0; i < holds; i++) {
            lock.unlock();
        }
        Object result;
        try {
            result =
                    runner == null
                            ? snippet.invoke(null)
                            : runner.<@Nullable Object>call(() -> snippet.invoke(null));
        } catch (UserThread.Left e) {
            thrown = e;
            throw new StoppedException();
        } catch (InvocationTargetException e) {
            thrown = e.getCause();
            if (thrown instanceof CellStopped) {
                throw new StoppedException();
            }
            throw e;
        } finally {
            for (var i = 0; i < holds; i++) {
                lock.lock();
            }
        }
        value = result;
        return "";
    }
}
