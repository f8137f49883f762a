package org.meshbook.elastic.worker.calls;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// The function objects of this worker: one a class, made at its first call. Thread-safe.
public final class Functions implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Functions.class.getName());

    private final Map<String, Made> made = new HashMap<>();

    private record Made(int version, HostFunction object) {}

    /// Has no functions yet.
    public Functions() {}

    /// @param name of a class
    /// @param classes bytes of classes that came along; none for one of the class path
    /// @return its object
    /// @throws UsageError if there is no such class, or it is not fit to be called
    public HostFunction of(String name, Map<String, byte[]> classes) {
        int version = version(classes);
        Made old;
        synchronized (made) {
            old = made.get(name);
        }
        if (old != null && old.version() == version) {
            return old.object();
        }
        var fresh = new Made(version, make(name, classes));
        @Nullable Made replaced;
        synchronized (made) {
            replaced = made.put(name, fresh);
        }
        if (replaced != null) {
            close(replaced.object());
        }
        return fresh.object();
    }

    /// @return name of a class whose object has a state, if there is one; what such an object knows
    ///   ends with this process
    public Optional<String> stateful() {
        synchronized (made) {
            return made.entrySet().stream()
                    .filter(each -> hasState(each.getValue().object().getClass()))
                    .map(Map.Entry::getKey)
                    .sorted()
                    .findFirst();
        }
    }

    private static boolean hasState(Class<?> type) {
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            if (Arrays.stream(at.getDeclaredFields())
                    .anyMatch(
                            field ->
                                    !Modifier.isStatic(field.getModifiers())
                                            || !Modifier.isFinal(field.getModifiers()))) {
                return true;
            }
        }
        return false;
    }

    private static HostFunction make(String name, Map<String, byte[]> classes) {
        try {
            var home = HostFunction.class.getClassLoader();
            var loader = classes.isEmpty() ? home : new Shipped(classes, home);
            var type = Class.forName(name, true, loader);
            UsageError.require(
                    HostFunction.class.isAssignableFrom(type),
                    "class '%s' is not a HostFunction; let it implement that",
                    name);
            var constructor = type.getDeclaredConstructor();
            // Classes of cells are nested in classes that are not public.
            constructor.setAccessible(true);
            return (HostFunction) constructor.newInstance();
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            throw new UsageError(
                    "class '%s' is not on the workers' class path (%s); start the slices with its"
                            + " jar there, or declare it in a cell, which sends it along",
                    name, String.valueOf(e.getMessage()));
        } catch (NoSuchMethodException e) {
            throw new UsageError(
                    "class '%s' has no constructor without parameters; give it one", name);
        } catch (InvocationTargetException e) {
            throw new UsageError(
                    "an object of '%s' cannot be made: %s", name, String.valueOf(e.getCause()));
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new UsageError("an object of '%s' cannot be made: %s", name, e);
        }
    }

    private static int version(Map<String, byte[]> classes) {
        int version = 0;
        for (var each : classes.entrySet()) {
            version += 31 * each.getKey().hashCode() + Arrays.hashCode(each.getValue());
        }
        return version;
    }

    private static void close(HostFunction old) {
        if (old instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                LOG.log(System.Logger.Level.WARNING, "function={0} not closed: {1}", old, e);
            }
        }
    }

    /// Closes the objects that can be closed.
    @Override
    public void close() {
        Map<String, Made> all;
        synchronized (made) {
            all = Map.copyOf(made);
            made.clear();
        }
        all.values().forEach(each -> close(each.object()));
    }

    /// Classes that came with a call.
    private static final class Shipped extends ClassLoader {
        private final Map<String, byte[]> classes;

        Shipped(Map<String, byte[]> classes, ClassLoader parent) {
            super("meshbook-shipped", parent);
            this.classes = Map.copyOf(classes);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            var bytes = classes.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
