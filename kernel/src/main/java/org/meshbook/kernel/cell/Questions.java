package org.meshbook.kernel.cell;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine.Completeness;
import org.meshbook.kernel.cell.CellEngine.Completion;
import org.meshbook.kernel.jshell.Answers;
import org.meshbook.kernel.jshell.CompilerLimit;
import org.meshbook.kernel.jshell.Completer;
import org.meshbook.kernel.jshell.Match;
import org.meshbook.kernel.jshell.Piece;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Workspace;

/// Answers questions about code without running it: magics by themselves, Java by JShell with the
/// magics blanked out.
final class Questions {
    private static final System.Logger LOG = System.getLogger(Questions.class.getName());

    private final Startup startup;
    private final Magics magics;
    private final Workspace workspace;

    Questions(Startup startup, Magics magics, Workspace workspace) {
        this.startup = startup;
        this.magics = magics;
        this.workspace = workspace;
    }

    Completion complete(String code, int cursor) {
        var at = Math.clamp(cursor, 0, code.length());
        var magic = magicAt(code, at);
        if (magic.isPresent()) {
            return completeMagic(code, at, magic.get());
        }
        return asked(
                () -> {
                    var found = new Completer(startup.shell()).complete(blanked(code), at);
                    return new Completion(found.matches(), found.start(), at);
                },
                new Completion(List.of(), at, at));
    }

    /// Lexes only up to the cursor, with a letter behind, so that a bare `%` counts.
    private static Optional<Segment.Magic> magicAt(String code, int cursor) {
        return Lexer.segments(code.substring(0, cursor) + "x").stream()
                .filter(Segment.Magic.class::isInstance)
                .map(Segment.Magic.class::cast)
                .filter(magic -> code.substring(magic.offset(), cursor).indexOf('\n') < 0)
                .findFirst();
    }

    private Completion completeMagic(String code, int cursor, Segment.Magic magic) {
        var nameStart = magic.offset() + (magic.wholeCell() ? 2 : 1);
        var typed = code.substring(nameStart, cursor);
        var space = indexOfSpace(typed);
        if (space < 0) {
            return Completion.of(
                    names(typed, magic.wholeCell()), Match.Kind.MAGIC, nameStart, cursor);
        }
        var lineEnd = code.indexOf('\n', cursor);
        var arguments =
                code.substring(nameStart + space + 1, lineEnd < 0 ? code.length() : lineEnd);
        var inArguments = typed.length() - space - 1;
        var wordStart = inArguments;
        while (wordStart > 0 && !Character.isWhitespace(arguments.charAt(wordStart - 1))) {
            wordStart--;
        }
        var matches =
                magics.find(typed.substring(0, space))
                        .map(m -> m.complete(arguments, inArguments, workspace))
                        .orElse(List.of());
        return Completion.of(matches, Match.Kind.OTHER, nameStart + space + 1 + wordStart, cursor);
    }

    private static int indexOfSpace(String typed) {
        for (var i = 0; i < typed.length(); i++) {
            if (Character.isWhitespace(typed.charAt(i))) {
                return i;
            }
        }
        return -1;
    }

    private List<String> names(String typed, boolean wholeCell) {
        var unwanted = wholeCell ? Magic.Form.LINE : Magic.Form.CELL;
        return magics.all().stream()
                .filter(magic -> magic.form() != unwanted)
                .map(Magic::name)
                .filter(name -> name.startsWith(typed))
                .toList();
    }

    @Nullable DisplayData inspect(String code, int cursor, int detail) {
        var at = Math.clamp(cursor, 0, code.length());
        var magic = magicAt(code, at);
        if (magic.isPresent()) {
            return magics.find(nameOf(code, magic.get()))
                    .map(m -> DisplayData.text("%" + m.name() + ": " + m.help().stripTrailing()))
                    .orElse(null);
        }
        return asked(
                        () ->
                                new Answers(startup.shell())
                                        .document(blanked(code), at, detail > 0)
                                        .map(
                                                found ->
                                                        DisplayData.text(found.text())
                                                                .and("text/html", found.html())),
                        Optional.<DisplayData>empty())
                .orElse(null);
    }

    private static String nameOf(String code, Segment.Magic magic) {
        var start = magic.offset() + (magic.wholeCell() ? 2 : 1);
        var end = start;
        while (end < code.length()
                && !Character.isWhitespace(code.charAt(end))
                && code.charAt(end) != '?') {
            end++;
        }
        return code.substring(start, end);
    }

    Completeness completeness(String code) {
        var segments = Lexer.segments(code);
        if (segments.isEmpty() || segments.getLast() instanceof Segment.Magic) {
            return new Completeness("complete", "");
        }
        var state =
                asked(
                        () -> new Answers(startup.shell()).completeness(blanked(code)),
                        Piece.State.COMPLETE);
        return switch (state) {
            case COMPLETE -> new Completeness("complete", "");
            case EXTENDABLE, INCOMPLETE ->
                    new Completeness("incomplete", "    ".repeat(Lexer.depth(code)));
            case BROKEN -> new Completeness("invalid", "");
        };
    }

    /// Half a cell may be anything; what the compiler gives up on has no answer.
    private static <T> T asked(Supplier<T> question, T nothing) {
        try {
            return question.get();
        } catch (CompilerLimit | StackOverflowError e) {
            LOG.log(Level.DEBUG, "a question has no answer", e);
            return nothing;
        }
    }

    /// The code with every magic line replaced by spaces, so that positions stay.
    private static String blanked(String code) {
        var text = new StringBuilder(Lexer.withoutValues(code));
        for (var segment : Lexer.segments(code)) {
            if (segment instanceof Segment.Magic magic) {
                for (var i = magic.offset(); i < text.length() && text.charAt(i) != '\n'; i++) {
                    text.setCharAt(i, ' ');
                }
            }
        }
        return text.toString();
    }
}
