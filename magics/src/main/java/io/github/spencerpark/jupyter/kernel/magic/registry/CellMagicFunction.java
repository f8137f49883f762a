package io.github.spencerpark.jupyter.kernel.magic.registry;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a magic does.
public interface CellMagicFunction<T extends @Nullable Object> {
    T execute(List<String> args, String body) throws Exception;
}
