package org.meshbook.kernel.cell;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.meshbook.kernel.spi.Extension;

/// Finds extensions in jars that cells added.
final class Extensions {
    private Extensions() {}

    /// @param loader of the cells' jars; what its parents have is active already
    /// @param active those that need not be found again
    /// @param warn told of what does not work
    /// @return those that are new
    static List<Extension> of(ClassLoader loader, List<Extension> active, Consumer<String> warn) {
        var found = new ArrayList<Extension>();
        var providers = ServiceLoader.load(Extension.class, loader).stream().iterator();
        // A broken one throws from the iterator, which then goes on behind it.
        while (true) {
            try {
                if (!providers.hasNext()) {
                    return found;
                }
                var provider = providers.next();
                var type = provider.type();
                if (type.getClassLoader() == loader
                        && active.stream().noneMatch(a -> a.getClass() == type)) {
                    found.add(provider.get());
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                warn.accept("an extension of an added jar does not work: " + e.getMessage());
            }
        }
    }
}
