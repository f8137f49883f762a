package org.meshbook.kernel.jshell;

import java.lang.System.Logger.Level;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import jdk.jshell.JShell;

/// Lets JShell forget the class files of snippets that are gone.
///
/// JShell 25 keeps each class file that it ever compiled, and javac lists them all four times a
/// cell: the thousandth cell takes twice as long as the tenth. There is no door for this, so its
/// package is opened by the agent; without an agent, or in a JDK whose fields have other names,
/// everything works and late cells are slower.
///
/// Owned by the thread that holds the shell's lock.
final class Forgetting {
    private static final System.Logger LOG = System.getLogger(Forgetting.class.getName());
    private static final String PACKAGE = JShell.class.getPackageName();

    private final Map<String, ?> classFiles;

    private Forgetting(Map<String, ?> classFiles) {
        this.classFiles = classFiles;
    }

    static Forgetting of(JShell jshell) {
        return new Forgetting(
                Agent.instrumentation()
                        .flatMap(agent -> classFiles(jshell, agent))
                        .orElse(Map.of()));
    }

    @SuppressWarnings("unchecked")
    private static Optional<Map<String, ?>> classFiles(JShell jshell, Instrumentation agent) {
        try {
            agent.redefineModule(
                    JShell.class.getModule(),
                    Set.of(),
                    Map.of(),
                    Map.of(PACKAGE, Set.of(Forgetting.class.getModule())),
                    Set.of(),
                    Map.of());
            var manager = read(read(jshell, "taskFactory"), "fileManager");
            return Optional.of((Map<String, ?>) read(manager, "classObjects"));
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.log(Level.DEBUG, "JShell does not forget", e);
            return Optional.empty();
        }
    }

    private static Object read(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    /// @param classNames classes that nothing is compiled against any more
    void classes(Collection<String> classNames) {
        if (!classFiles.isEmpty()) {
            classNames.forEach(classFiles::remove);
        }
    }
}
