package org.meshbook.kernel.jshell;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.meshbook.kernel.jshell.Piece.State;

/// Judges syntax by javac's parser alone: JShell calls `int x = = 3;` complete.
final class Syntax {
    /// Errors that more text can cure.
    private static final Set<String> OPEN_ENDS =
            Set.of(
                    "compiler.err.premature.eof",
                    "compiler.err.unclosed.comment",
                    "compiler.err.unclosed.text.block");

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private Syntax() {}

    /// @return whether the piece parses as anything that may stand in a cell
    static State check(Piece piece) {
        var closed = piece.state() == State.COMPLETE;
        var states = variants(piece.source(), closed).map(Syntax::parse).toList();
        if (states.contains(State.COMPLETE)) {
            return State.COMPLETE;
        }
        return !closed && states.contains(State.INCOMPLETE) ? State.INCOMPLETE : State.BROKEN;
    }

    private static Stream<String> variants(String source, boolean closed) {
        var end = closed ? "\n}}" : "";
        var memberEnd = closed ? "\n}" : "";
        var expression = source.stripTrailing().replaceFirst(";$", "");
        return Stream.of(
                "class A { void m() { " + source + end,
                "class A { " + source + memberEnd,
                source,
                closed
                        ? "class A { Object o = " + expression + "\n;}"
                        : "class A { Object o = " + source);
    }

    private static State parse(String unit) {
        var problems = new DiagnosticCollector<JavaFileObject>();
        var task =
                (JavacTask)
                        COMPILER.getTask(
                                null,
                                null,
                                problems,
                                List.of("-proc:none"),
                                null,
                                List.of(new Source(unit)));
        try {
            task.parse();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return problems.getDiagnostics().stream()
                .filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
                .findFirst()
                .map(d -> OPEN_ENDS.contains(d.getCode()) ? State.INCOMPLETE : State.BROKEN)
                .orElse(State.COMPLETE);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///A.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
