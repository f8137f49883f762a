package org.meshbook.kernel.jshell;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
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
        return switch (piece.state()) {
            case COMPLETE ->
                    closed(piece.source()).anyMatch(unit -> parse(unit) == State.COMPLETE)
                            ? State.COMPLETE
                            : State.BROKEN;
            case EXTENDABLE -> State.INCOMPLETE;
            case INCOMPLETE ->
                    open(piece.source()).anyMatch(unit -> parse(unit) == State.INCOMPLETE)
                            ? State.INCOMPLETE
                            : State.BROKEN;
            case BROKEN -> State.BROKEN;
        };
    }

    /// @return whether the source declares a method
    static boolean isMethod(String source) {
        var units = units("class A { " + source + "\n}", new DiagnosticCollector<>());
        return StreamSupport.stream(units.spliterator(), false)
                .flatMap(unit -> unit.getTypeDecls().stream())
                .filter(ClassTree.class::isInstance)
                .flatMap(type -> ((ClassTree) type).getMembers().stream())
                .anyMatch(member -> member.getKind() == Tree.Kind.METHOD);
    }

    private static Stream<String> closed(String source) {
        var expression = source.stripTrailing().replaceFirst(";$", "");
        return Stream.of(
                "class A { void m() { " + source + "\n}}",
                "class A { Object o = " + expression + "\n;}",
                "class A { " + source + "\n}",
                source);
    }

    private static Stream<String> open(String source) {
        return Stream.of(
                "class A { void m() { " + source,
                "class A { Object o = " + source,
                "class A { " + source,
                source);
    }

    private static State parse(String unit) {
        var problems = new DiagnosticCollector<JavaFileObject>();
        units(unit, problems);
        return problems.getDiagnostics().stream()
                .filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
                .findFirst()
                .map(d -> OPEN_ENDS.contains(d.getCode()) ? State.INCOMPLETE : State.BROKEN)
                .orElse(State.COMPLETE);
    }

    private static Iterable<? extends CompilationUnitTree> units(
            String unit, DiagnosticCollector<JavaFileObject> problems) {
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
            return task.parse();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
