package org.meshbook.kernel.cell;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import jdk.jshell.DeclarationSnippet;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.Display;
import org.meshbook.kernel.jshell.CellStopped;
import org.meshbook.kernel.jshell.Evaluated;
import org.meshbook.kernel.jshell.Origin;
import org.meshbook.kernel.jshell.Piece;
import org.meshbook.kernel.jshell.Shell;
import org.meshbook.kernel.spi.DisplayData;

/// The way of one cell's text through JShell and the magics.
final class JavaRun {
    private final Shell shell;
    private final RunningCell cell;
    private final List<DeclarationSnippet> unresolved = new ArrayList<>();

    JavaRun(Shell shell, RunningCell cell) {
        this.shell = shell;
        this.cell = cell;
    }

    /// Runs a magic.
    interface MagicRunner {
        @Nullable Object run(Segment.Magic typed, RunningCell cell) throws Exception;
    }

    /// Runs the whole cell.
    ///
    /// @return what the value of the last part looks like
    Optional<DisplayData> segments(MagicRunner magics) throws Exception {
        return shown(parts(cell.code(), cell.code(), 0, magics));
    }

    /// Runs the text of another whole cell, on behalf of a magic.
    ///
    /// @return the value of its last part
    @Nullable Object text(String code, MagicRunner magics) throws Exception {
        // A part of the cell, as the body of a magic, fails at its place in the cell.
        var place = cell.code().indexOf(code);
        return place < 0
                ? parts(code, code, 0, magics).value()
                : parts(code, cell.code(), place, magics).value();
    }

    private Value parts(String code, String whole, int place, MagicRunner magics) throws Exception {
        // 1. split everything first, so that nothing runs of a cell that is cut short
        var steps = new ArrayList<Step>();
        var segments = Lexer.segments(code);
        for (var segment : segments) {
            switch (segment) {
                case Segment.Magic magic -> steps.add(new Step.Command(magic));
                case Segment.Java java -> {
                    var found = pieces(java.text(), whole, place + java.offset());
                    steps.addAll(Step.grouped(found, segment == segments.getLast()));
                }
            }
        }
        // 2. run each part
        var last = new Value(false, null, "");
        for (var step : steps) {
            stopIfAsked();
            last =
                    switch (step) {
                        case Step.Command(var magic) -> command(magics, magic);
                        case Step.Snippet(var source, var origin) -> snippet(source, origin);
                        case Step.Block block -> block(block);
                    };
        }
        // 3. say what still waits, and what was only declared
        warn();
        if (!steps.isEmpty() && steps.getLast() instanceof Step.Snippet(var source, _)) {
            MainHint.of(source).ifPresent(cell::notice);
        }
        return last;
    }

    /// Runs Java on behalf of a magic.
    ///
    /// @param code the text that positions refer to
    /// @param offset where the Java begins in it
    @Nullable Object java(String java, String code, int offset) throws Exception {
        var last = new Value(false, null, "");
        for (var snippet : pieces(java, code, offset)) {
            stopIfAsked();
            last = snippet(snippet.source(), snippet.origin());
        }
        warn();
        return last.value();
    }

    DisplayData render(@Nullable Object value) throws Exception {
        return cell.thread().call(() -> cell.render(value));
    }

    private List<Step.Snippet> pieces(String java, String code, int offset) {
        var found = new ArrayList<Step.Snippet>();
        for (var piece : shell.split(java)) {
            var origin = new Origin(cell.number(), code, offset + piece.offset());
            if (piece.state() == Piece.State.INCOMPLETE) {
                throw new CellFailure(cell.wording().incomplete(origin));
            }
            found.add(new Step.Snippet(piece.source(), origin));
        }
        return found;
    }

    private Value command(MagicRunner magics, Segment.Magic magic) throws Exception {
        var value = cell.thread().<@Nullable Object>call(() -> magics.run(magic, cell));
        return new Value(value != null, value, "");
    }

    private Value block(Step.Block block) throws Exception {
        new Recall(shell, cell).before(block.source());
        var evaluated = shell.eval(block.source(), cell.thread(), block.origin());
        if (evaluated.errors().isEmpty()) {
            evaluated.notices().forEach(cell::notice);
            raise(evaluated);
            return new Value(false, null, "");
        }
        // Nothing ran of it: what is before the fault runs, as if each stood alone.
        for (var part : block.parts()) {
            stopIfAsked();
            var unused = snippet(part.source(), part.origin());
        }
        return new Value(false, null, "");
    }

    private Value snippet(String source, Origin origin) throws Exception {
        new Recall(shell, cell).before(source);
        var evaluated = shell.eval(source, cell.thread(), origin);
        var repair = Repair.of(evaluated.errors(), source, origin);
        if (repair.isPresent()) {
            var again = shell.eval(repair.get().source(), cell.thread(), repair.get().origin());
            evaluated = again.errors().isEmpty() ? again : evaluated;
        }
        evaluated.notices().forEach(cell::notice);
        unresolved.addAll(evaluated.unresolved());
        if (!evaluated.errors().isEmpty()) {
            throw new CellFailure(
                    cell.wording().compileErrors(shell, evaluated.errors(), source, origin));
        }
        raise(evaluated);
        return new Value(evaluated.valued(), evaluated.value(), source);
    }

    private static void raise(Evaluated evaluated) throws Exception {
        switch (evaluated.thrown()) {
            case null -> {}
            case Exception e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    private void stopIfAsked() {
        if (cell.isStopped()) {
            throw CellStopped.now();
        }
    }

    private void warn() {
        unresolved.stream()
                .map(shell::waitsFor)
                .filter(Objects::nonNull)
                .distinct()
                .map(Wording::withImport)
                .forEach(cell::notice);
    }

    private Optional<DisplayData> shown(Value last) throws Exception {
        var value = last.value();
        // What printf and display return says nothing.
        var silent = value == System.out || value == System.err || Display.isLastId(value);
        if (!last.present() || silent) {
            return Optional.empty();
        }
        new Recall(shell, cell).keep(value, last.source());
        return Optional.of(render(value));
    }

    private record Value(boolean present, @Nullable Object value, String source) {}
}
