package org.meshbook.kernel.jshell;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.Diag;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Kind;
import jdk.jshell.Snippet.Status;
import jdk.jshell.Snippet.SubKind;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Completeness;
import jdk.jshell.UnresolvedReferenceException;
import jdk.jshell.VarSnippet;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;
import org.jspecify.annotations.Nullable;

/// One JShell in this process.
///
/// JShell is not thread-safe: a lock is held while it compiles and keeps its books, and free while
/// user code runs, so that questions are answered meanwhile.
public final class Shell implements AutoCloseable {
    /// Every live snippet is imported into every later one; 200 of them double the time of a cell.
    private static final int MOST_KEPT_RESULTS = 16;

    private static final Pattern PACKAGE =
            Pattern.compile("\\s*package\\s+[\\p{javaJavaIdentifierPart}.\\s]+;");

    private final ReentrantLock lock = new ReentrantLock();
    private final CellControl control = CellControl.open(lock);
    private final JShell jshell;
    private final Deque<Snippet> results = new ArrayDeque<>();
    private final Map<String, Snippet> snippets = new HashMap<>();

    /// Builds a JShell that sees what this process sees.
    public Shell() {
        jshell =
                JShell.builder()
                        .executionEngine(new InProcess(), Map.of())
                        .compilerOptions("-proc:none", "-g")
                        .build();
        jshell.addToClasspath(ClassPath.expanded());
    }

    /// @return parent of every class that cells define
    public ClassLoader loader() {
        return control.loader();
    }

    /// Splits Java into snippets, without running anything.
    ///
    /// @param code any text
    /// @return its snippets in order; only the last one may be other than complete
    public List<Piece> split(String code) {
        var pieces = new ArrayList<Piece>();
        // A cell has no package of its own: what follows such a line is what counts.
        var matcher = PACKAGE.matcher(code);
        var rest = matcher.lookingAt() ? code.substring(matcher.end()) : code;
        while (!rest.isBlank()) {
            var offset = code.length() - rest.length() + indexOfText(rest);
            var text = code.substring(offset);
            var info = ask(analysis -> analysis.analyzeCompletion(text));
            switch (info.completeness()) {
                case EMPTY -> {
                    return pieces;
                }
                case COMPLETE, COMPLETE_WITH_SEMI, CONSIDERED_INCOMPLETE -> {
                    if (!info.source().strip().equals(";")) {
                        var state =
                                info.completeness() == Completeness.CONSIDERED_INCOMPLETE
                                        ? Piece.State.EXTENDABLE
                                        : Piece.State.COMPLETE;
                        pieces.add(new Piece(info.source(), offset, state));
                    }
                    rest = info.completeness() == Completeness.COMPLETE ? info.remaining() : "";
                }
                case DEFINITELY_INCOMPLETE -> {
                    pieces.add(new Piece(text, offset, Piece.State.INCOMPLETE));
                    rest = "";
                }
                case UNKNOWN -> {
                    pieces.add(new Piece(text, offset, Piece.State.BROKEN));
                    rest = "";
                }
            }
        }
        return pieces;
    }

    private static int indexOfText(String code) {
        var i = 0;
        while (i < code.length() && Character.isWhitespace(code.charAt(i))) {
            i++;
        }
        return i;
    }

    /// Asks JShell's analysis something.
    ///
    /// @param question what to ask
    /// @return its answer
    public <T> T ask(Function<SourceCodeAnalysis, T> question) {
        lock.lock();
        try {
            return question.apply(jshell.sourceCodeAnalysis());
        } finally {
            lock.unlock();
        }
    }

    /// Evaluates one snippet.
    ///
    /// @param source a complete snippet
    /// @param thread where its code runs; null for the calling thread
    /// @return what came of it
    public Evaluated eval(String source, @Nullable UserThread thread) {
        lock.lock();
        try {
            control.prepare(thread);
            var events = jshell.eval(source);
            return gather(events);
        } finally {
            lock.unlock();
        }
    }

    private Evaluated gather(List<SnippetEvent> events) {
        var errors = new ArrayList<Diag>();
        var unresolved = new ArrayList<DeclarationSnippet>();
        var notices = new ArrayList<String>();
        var declared = new ArrayList<String>();
        var valued = false;
        Throwable thrown = control.thrown();
        for (var event : events) {
            var snippet = event.snippet();
            if (event.causeSnippet() != null) {
                undefined(event, notices);
                continue;
            }
            snippets.put(snippet.id(), snippet);
            switch (event.status()) {
                case REJECTED ->
                        jshell.diagnostics(snippet).filter(Diag::isError).forEach(errors::add);
                case RECOVERABLE_DEFINED, RECOVERABLE_NOT_DEFINED ->
                        unresolved.add((DeclarationSnippet) snippet);
                case VALID, OVERWRITTEN, DROPPED, NONEXISTENT -> {}
            }
            if (snippet instanceof VarSnippet variable) {
                declared.add(variable.name());
            }
            if (event.exception() instanceof UnresolvedReferenceException missing) {
                thrown = new Unresolved(needs(missing.getSnippet()));
            }
            valued |=
                    snippet.kind() == Kind.EXPRESSION
                            || snippet.subKind() == SubKind.TEMP_VAR_EXPRESSION_SUBKIND;
            keep(snippet);
        }
        control.kept().reset().stream()
                .filter(name -> !declared.contains(name))
                .map("%s was reset: what it holds changed its shape"::formatted)
                .forEach(notices::add);
        return new Evaluated(
                valued && errors.isEmpty() && thrown == null,
                control.value(),
                thrown,
                errors,
                unresolved,
                notices);
    }

    private void undefined(SnippetEvent event, List<String> notices) {
        if (event.snippet() instanceof DeclarationSnippet declaration
                && event.previousStatus().isDefined()
                && !event.status().isDefined()
                && event.status() != Status.OVERWRITTEN) {
            notices.add(needs(declaration));
        }
    }

    private void keep(Snippet snippet) {
        if (snippet.subKind() != SubKind.TEMP_VAR_EXPRESSION_SUBKIND
                || !jshell.status(snippet).isActive()) {
            return;
        }
        results.add(snippet);
        if (results.size() > MOST_KEPT_RESULTS) {
            jshell.drop(results.remove());
        }
    }

    /// @param declaration one that waits for others
    /// @return a line that says for what, or null if it waits no longer
    public @Nullable String waitsFor(DeclarationSnippet declaration) {
        lock.lock();
        try {
            return switch (jshell.status(declaration)) {
                case RECOVERABLE_DEFINED, RECOVERABLE_NOT_DEFINED -> needs(declaration);
                default -> null;
            };
        } finally {
            lock.unlock();
        }
    }

    /// @return name of each declaration that cannot be used yet, and a line that says why
    public Map<String, String> waiting() {
        lock.lock();
        try {
            return jshell.snippets()
                    .filter(s -> jshell.status(s) == Status.RECOVERABLE_NOT_DEFINED)
                    .map(DeclarationSnippet.class::cast)
                    .collect(Collectors.toMap(DeclarationSnippet::name, this::needs, (a, _) -> a));
        } finally {
            lock.unlock();
        }
    }

    private String needs(DeclarationSnippet declaration) {
        var missing = jshell.unresolvedDependencies(declaration).collect(Collectors.joining(", "));
        return missing.isEmpty()
                ? "%s is not defined any more: its declaration no longer compiles%s; declare it anew"
                        .formatted(declaration.name(), why(declaration))
                : "%s cannot be used until %s is declared".formatted(declaration.name(), missing);
    }

    private String why(DeclarationSnippet declaration) {
        return jshell.diagnostics(declaration)
                .findFirst()
                .map(d -> d.getMessage(Locale.ROOT).lines().findFirst().orElse(""))
                // Two classes of one name, the old and the new: that helps nobody.
                .filter(line -> !line.matches(".*: (\\S+) cannot be converted to \\1"))
                .map(" (%s)"::formatted)
                .orElse("");
    }

    /// Finds where in a snippet's source a frame of its class is.
    ///
    /// @param frame any frame
    /// @return the snippet and the offset in its source, or null if the frame is not a cell's
    public @Nullable Place place(StackTraceElement frame) {
        if (!CellControl.isCellClass(frame.getClassName())) {
            return null;
        }
        lock.lock();
        try {
            var id = KeptVariables.index(frame.getClassName());
            var snippet = snippets.computeIfAbsent(id, this::findSnippet);
            return snippet == null
                    ? null
                    : new Place(snippet.source(), offset(snippet, frame.getLineNumber()));
        } catch (RuntimeException e) {
            // A snippet that was compiled anew since: its lines are not known any more.
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// Finds a snippet that still runs, and so was not gathered yet.
    private @Nullable Snippet findSnippet(String id) {
        return jshell.snippets().filter(s -> s.id().equals(id)).findFirst().orElse(null);
    }

    private int offset(Snippet snippet, int line) {
        var wrapper = jshell.sourceCodeAnalysis().wrapper(snippet);
        var lines = wrapper.wrapped().split("\n", -1);
        if (line < 1 || line > lines.length) {
            return 0;
        }
        var end = 0;
        for (var i = 0; i < line; i++) {
            end += lines[i].length() + 1;
        }
        var last = end - 1 - (lines[line - 1].length() - lines[line - 1].stripTrailing().length());
        return Math.clamp(
                wrapper.wrappedToSourcePosition(Math.max(0, last - 1)),
                0,
                Math.max(0, snippet.source().length() - 1));
    }

    /// Drops the variable that an expression made.
    ///
    /// @param source what was evaluated last
    public void dropLastResult() {
        lock.lock();
        try {
            if (!results.isEmpty()) {
                jshell.drop(results.removeLast());
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            jshell.close();
        } finally {
            lock.unlock();
        }
    }

    /// A place in a snippet.
    ///
    /// @param source the snippet's source
    /// @param offset in it
    public record Place(String source, int offset) {}

    /// A declaration was used that waits for others.
    public static final class Unresolved extends Exception {
        private static final long serialVersionUID = 1L;

        Unresolved(String message) {
            super(message);
        }
    }

    private final class InProcess implements ExecutionControlProvider {
        @Override
        public String name() {
            return "meshbook";
        }

        @Override
        public ExecutionControl generate(ExecutionEnv env, Map<String, String> parameters) {
            return control;
        }
    }
}
