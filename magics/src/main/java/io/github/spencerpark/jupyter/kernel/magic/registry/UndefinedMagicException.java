package io.github.spencerpark.jupyter.kernel.magic.registry;

/// There is no such magic.
public class UndefinedMagicException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param name what was asked for
    /// @param line whether as `%name`
    public UndefinedMagicException(String name, boolean line) {
        super("no magic named %s%s".formatted(line ? "%" : "%%", name));
    }
}
