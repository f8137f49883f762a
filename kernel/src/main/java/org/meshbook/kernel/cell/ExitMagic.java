package org.meshbook.kernel.cell;

import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;

/// `%exit`.
record ExitMagic() implements Magic {
    @Override
    public String name() {
        return "exit";
    }

    @Override
    public String group() {
        return "session";
    }

    @Override
    public String help() {
        return """
        Ends the kernel, the console or the run.

        %exit
        """;
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        if (!call.arguments().isEmpty()) {
            throw new MagicException(
                    "%%exit takes no arguments, found \"%s\"".formatted(call.arguments()));
        }
        throw new Asked();
    }

    /// Tells the engine.
    static final class Asked extends MagicException {
        private static final long serialVersionUID = 1L;

        private Asked() {
            super("the cell asked the kernel to leave");
        }
    }
}
