package io.github.spencerpark.jupyter.kernel.magic.registry;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What a magic does.
public interface CellMagicFunction<T extends @Nullable Object> {
    T execute(List<String> args, String body) throws Exception;
}
