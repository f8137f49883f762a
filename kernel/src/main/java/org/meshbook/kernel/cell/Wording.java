package org.meshbook.kernel.cell;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jdk.jshell.Diag;
import org.meshbook.kernel.cell.CellOutcome.Failed;
import org.meshbook.kernel.config.Settings;
import org.meshbook.kernel.failure.CompileErrors;
import org.meshbook.kernel.failure.Frames;
import org.meshbook.kernel.failure.Incomplete;
import org.meshbook.kernel.failure.Ink;
import org.meshbook.kernel.failure.MissingImport;
import org.meshbook.kernel.failure.Traces;
import org.meshbook.kernel.jshell.Origin;
import org.meshbook.kernel.jshell.Shell;
import org.meshbook.kernel.spi.PartFailed;

/// Failures as outcomes, in the colours that are set.
final class Wording {
    private final Settings settings;

    Wording(Settings settings) {
        this.settings = settings;
    }

    private Ink ink() {
        return new Ink(settings.errorColours());
    }

    Failed line(String name, String message) {
        return Failed.of(ink().line(name, message));
    }

    /// @param source the refused snippet
    /// @param origin where it stands
    Failed compileErrors(Shell shell, List<Diag> errors, String source, Origin origin) {
        return Failed.of(new CompileErrors(shell, ink()).tell(errors, source, origin));
    }

    /// @param origin where the snippet begins that has no end
    Failed incomplete(Origin origin) {
        var open = Lexer.open(origin.code().substring(origin.offset()));
        return Failed.of(new Incomplete(ink()).tell(origin, open));
    }

    /// @param notice says that something waits for a class, perhaps
    /// @return the same, and the import that brings the class if the JDK has it
    static String withImport(String notice) {
        return MissingImport.of(notice).map(hint -> notice + "; " + hint).orElse(notice);
    }

    /// @param printed a frame as `Throwable` prints it
    /// @return how to print it; empty if it says nothing to the user
    Optional<String> frame(Shell shell, String printed) {
        return Frames.printed(shell, printed);
    }

    /// @param thrown what a cell's code threw; its own methods are called
    Failed thrown(Shell shell, Throwable thrown) {
        return switch (thrown) {
            case CellFailure failure -> failure.failed();
            case PartFailed part -> part(shell, part);
            default -> Failed.of(new Traces(shell, ink()).tell(thrown));
        };
    }

    /// What failed inside, and where that stands.
    private Failed part(Shell shell, PartFailed part) {
        var inner = thrown(shell, part.failure());
        var where = String.valueOf(part.getMessage());
        var lines = new ArrayList<>(inner.trace());
        lines.add("    " + where);
        return new Failed(
                inner.name(),
                inner.message().isEmpty() ? where : where + ": " + inner.message(),
                lines);
    }
}
