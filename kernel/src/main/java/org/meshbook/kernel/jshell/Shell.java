package org.meshbook.kernel.jshell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.Diag;
import jdk.jshell.JShell;
import jdk.jshell.MethodSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Kind;
import jdk.jshell.Snippet.Status;
import jdk.jshell.Snippet.SubKind;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.UnresolvedReferenceException;
import jdk.jshell.VarSnippet;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Workspace.Declaration;
import org.meshbook.kernel.spi.Workspace.Variable;

/// One JShell in this process.
///
/// JShell is not thread-safe: a lock is held while it compiles and keeps its books, and free while
/// user code runs, so that questions are answered meanwhile.
public final class Shell implements AutoCloseable {
    /// Of a declaration that cannot be used now.
    private static final Set<Status> WAITING =
            EnumSet.of(Status.RECOVERABLE_DEFINED, Status.RECOVERABLE_NOT_DEFINED, Status.REJECTED);

    /// What a text splits into depends on nothing else.
    private static final int MOST_SPLIT = 64;

    private final ShellLock lock = new ShellLock();
    private final Places places = new Places();
    private final CellControl control = new CellControl(lock, places);
    private final JShell jshell;
    private final Forgetting forgetting;
    private final Journal journal;
    private final Known known = new Known();
    private final Splitter splitter =
            new Splitter(text -> ask(analysis -> analysis.analyzeCompletion(text)));
    private final Latest<List<Piece>> pieces = new Latest<>(MOST_SPLIT);
    private final ClassPath classPath = ClassPath.ofThisProcess();

    /// Builds a JShell that sees what this process sees.
    public Shell() {
        jshell = seeing(classPath.text());
        forgetting = Forgetting.of(jshell);
        journal = new Journal(jshell, control.kept());
    }

    /// JShell begins with the class path that the process says and can only be given more, and the
    /// compiler would open every jar that our own jar names. It asks once here, and the compiler
    /// again at its first use, unless told by then.
    private JShell seeing(String path) {
        var said = System.getProperty("java.class.path", "");
        System.setProperty("java.class.path", path);
        try {
            var made =
                    JShell.builder()
                            .executionEngine(new InProcess(), Map.of())
                            // Looking for processors in all jars takes longer than a cell.
                            .compilerOptions("-proc:none", "-g", "--processor-path", "")
                            .build();
            made.addToClasspath(path);
            return made;
        } finally {
            System.setProperty("java.class.path", said);
        }
    }

    /// Sets what takes some milliseconds and can wait until the shell is there. Any thread.
    public void settle() {
        Agent.instrumentation().ifPresent(ExitTrap::set);
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
        return lock.with(() -> pieces.computeIfAbsent(code, splitter::split));
    }

    /// Asks JShell's analysis something.
    ///
    /// @param question what to ask
    /// @return its answer
    /// @throws CompilerLimit if the compiler gives up on it
    public <T> T ask(Function<SourceCodeAnalysis, T> question) {
        return lock.with(
                () -> {
                    try {
                        return question.apply(jshell.sourceCodeAnalysis());
                    } catch (InternalError | StackOverflowError | IllegalStateException e) {
                        renewCompiler();
                        throw CompilerLimit.of(e);
                    }
                });
    }

    /// Asks about what is declared now.
    ///
    /// @param question what to ask of the declarations; must not keep them
    /// @return its answer
    <T> T declarations(Function<Stream<Snippet>, T> question) {
        return lock.with(
                () -> question.apply(jshell.snippets().filter(s -> jshell.status(s).isActive())));
    }

    /// Evaluates one snippet.
    ///
    /// @param source a complete snippet
    /// @param thread where its code runs; null for the calling thread
    /// @param origin where it stands in its cell; null for start-up code
    /// @return what came of it
    public Evaluated eval(String source, @Nullable UserThread thread, @Nullable Origin origin) {
        return lock.with(
                () -> {
                    var before = known.find(source);
                    if (before.isPresent()) {
                        return again(before.get(), source, thread, origin);
                    }
                    var quick = QuickExpression.of(source);
                    if (quick.isPresent()) {
                        var from = QuickExpression.within(quick.get(), origin);
                        var done = evaluate(quick.get(), source, new Evaluation(thread, from));
                        if (done.errors().isEmpty() && done.unresolved().isEmpty()) {
                            return done;
                        }
                    }
                    return evaluate(source, source, new Evaluation(thread, origin));
                });
    }

    /// Runs what was compiled before.
    private Evaluated again(
            Known.Compiled compiled,
            String typed,
            @Nullable UserThread thread,
            @Nullable Origin origin) {
        var snippet = compiled.snippet();
        var from = QuickExpression.within(snippet.source(), origin);
        var evaluation = new Evaluation(thread, from);
        places.moved(snippet, from);
        control.again(compiled.code(), evaluation);
        if (evaluation.thrown() == null) {
            record(snippet, typed, evaluation);
        }
        var thrown = evaluation.thrown();
        return new Evaluated(
                isValued(snippet) && thrown == null,
                evaluation.value(),
                thrown,
                List.of(),
                List.of(),
                List.of());
    }

    private Evaluated evaluate(String source, String typed, Evaluation evaluation) {
        control.begin(evaluation);
        try {
            var since = known.meanings();
            var events = jshell.eval(source);
            write(events, typed, evaluation);
            remember(events, typed, evaluation, since);
            var evaluated = gather(events, evaluation);
            if (evaluated.errors().stream().map(Diag::getCode).anyMatch(CompilerLimit::isLimit)) {
                renewCompiler();
            }
            return evaluated;
        } catch (InternalError | StackOverflowError | IllegalStateException e) {
            renewCompiler();
            return Evaluated.failed(CompilerLimit.of(e));
        }
    }

    /// JShell uses its compilers again and again; one that met a limit keeps what it could not
    /// write, and fails from then on. A new class path makes new ones.
    private void renewCompiler() {
        classPath.entries().stream()
                .findFirst()
                .ifPresent(entry -> jshell.addToClasspath(entry.toString()));
    }

    private void write(List<SnippetEvent> events, String typed, Evaluation evaluation) {
        for (var event : events) {
            var snippet = event.snippet();
            var failed = event.exception() != null || evaluation.thrown() != null;
            if (event.causeSnippet() != null
                    || !event.status().isActive()
                    || (failed
                            && !(snippet instanceof DeclarationSnippet declared
                                    && !isResult(declared)))) {
                continue;
            }
            record(snippet, typed, evaluation);
        }
    }

    /// What declares nothing can be run again as it is; what does changes the meaning of the rest.
    private void remember(
            List<SnippetEvent> events, String typed, Evaluation evaluation, long since) {
        if (!events.stream().map(SnippetEvent::snippet).allMatch(Shell::passes)) {
            known.clear();
        } else if (events.size() == 1
                && events.getFirst().status() == Status.VALID
                && evaluation.thrown() == null) {
            var snippet = events.getFirst().snippet();
            control.code(snippet.id())
                    .map(code -> new Known.Compiled(snippet, code))
                    .ifPresent(compiled -> known.keep(typed, compiled, since));
        }
    }

    private void record(Snippet snippet, String typed, Evaluation evaluation) {
        if (evaluation.thread() == null) {
            journal.ours(snippet);
        } else if (evaluation.origin() != null) {
            journal.theirs(snippet, typed);
        }
    }

    /// @return the variables that can be used now, in the order of their declaration
    public List<Variable> variables() {
        return lock.with(journal::variables);
    }

    /// @return what cells declared and did, without what is superseded and what failed
    public List<Declaration> declarations() {
        return lock.with(journal::declarations);
    }

    /// Forgets what cells declared; start-up code stays, or is made anew where it was replaced.
    public void reset() {
        var unused =
                lock.with(
                        () -> {
                            known.clear();
                            journal.toForget().forEach(this::forget);
                            journal.clear()
                                    .forEach(
                                            line ->
                                                    evaluate(
                                                            line,
                                                            line,
                                                            new Evaluation(null, null)));
                            return true;
                        });
    }

    /// A type is not dropped: after that, JShell 25 finds the type of no `var` any more, and makes
    /// it an Object. It becomes one that nobody can use.
    private void forget(Snippet snippet) {
        if (!(snippet instanceof TypeDeclSnippet type)) {
            drop(snippet);
        } else if (!Journal.isForgotten(type)) {
            control.begin(new Evaluation(null, null));
            var unused = jshell.eval(Journal.forgotten(type.name()));
            control.empty(type.id());
        }
    }

    /// @return jars and folders that cells see
    public List<Path> classPath() {
        return lock.with(classPath::entries);
    }

    /// Adds to what cells see, for the compiler and for running, and to `java.class.path`.
    ///
    /// @param more jars and folders; what is there already is skipped
    public void addToClassPath(List<Path> more) {
        var unused =
                lock.with(
                        () -> {
                            known.clear();
                            var fresh = classPath.add(more);
                            fresh.forEach(entry -> jshell.addToClasspath(entry.toString()));
                            return fresh;
                        });
    }

    private Evaluated gather(List<SnippetEvent> events, Evaluation evaluation) {
        var errors = new ArrayList<Diag>();
        var unresolved = new ArrayList<DeclarationSnippet>();
        var notices = new ArrayList<String>();
        var declared = new ArrayList<String>();
        var valued = false;
        var thrown = evaluation.thrown();
        for (var event : events) {
            var snippet = event.snippet();
            if (event.causeSnippet() != null) {
                undefined(event, notices);
                continue;
            }
            switch (event.status()) {
                case REJECTED ->
                        jshell.diagnostics(snippet).filter(Diag::isError).forEach(errors::add);
                case RECOVERABLE_DEFINED, RECOVERABLE_NOT_DEFINED -> {
                    var limits = limits(snippet);
                    errors.addAll(limits);
                    if (!limits.isEmpty()) {
                        drop(snippet);
                    } else if (snippet instanceof DeclarationSnippet declaration) {
                        unresolved.add(declaration);
                    }
                }
                case VALID, OVERWRITTEN, DROPPED, NONEXISTENT -> {}
            }
            if (snippet instanceof VarSnippet variable) {
                declared.add(variable.name());
            }
            if (snippet instanceof MethodSnippet method && event.status().isActive()) {
                beside(method, evaluation).ifPresent(notices::add);
            }
            if (event.exception() instanceof UnresolvedReferenceException missing) {
                thrown = new Unresolved(needs(missing.getSnippet()));
            }
            valued |= isValued(snippet);
            places.evaluated(snippet);
            letGo(snippet);
        }
        evaluation.reset().stream()
                .filter(name -> !declared.contains(name))
                .map("%s was reset: what it holds changed its shape"::formatted)
                .forEach(notices::add);
        return new Evaluated(
                valued && errors.isEmpty() && thrown == null,
                evaluation.value(),
                thrown,
                errors,
                unresolved,
                notices);
    }

    /// A changed signature is another method: the old one stays, which surprises who meant to
    /// replace it. Overloads of one cell are meant.
    private Optional<String> beside(MethodSnippet method, Evaluation evaluation) {
        var others =
                jshell.methods()
                        .filter(m -> m.name().equals(method.name()) && m != method)
                        .filter(m -> !places.isOf(m, evaluation.origin()))
                        .map(m -> "%s(%s)".formatted(m.name(), m.parameterTypes()))
                        .collect(Collectors.joining(", "));
        var isNew = places.isFirst(method);
        return others.isEmpty() || !isNew || evaluation.origin() == null
                ? Optional.empty()
                : Optional.of(
                        "%s(%s) is declared beside %s, which stays"
                                .formatted(method.name(), method.parameterTypes(), others));
    }

    /// Errors about sizes, which JShell takes for something that can be cured by another snippet.
    private List<Diag> limits(Snippet snippet) {
        return jshell.diagnostics(snippet)
                .filter(diagnostic -> CompilerLimit.isLimit(diagnostic.getCode()))
                .toList();
    }

    private void undefined(SnippetEvent event, List<String> notices) {
        if (event.snippet() instanceof DeclarationSnippet declaration
                && event.previousStatus() == Status.VALID
                && WAITING.contains(event.status())) {
            notices.add(needs(declaration));
        }
    }

    /// Every live snippet is imported into every later one: what nobody can name is dropped.
    private void letGo(Snippet snippet) {
        if (isResult(snippet)) {
            drop(snippet);
        } else if (passes(snippet)) {
            forgetting.classes(control.takeClasses(snippet.id()));
        }
    }

    private static boolean isValued(Snippet snippet) {
        return snippet.kind() == Kind.EXPRESSION || isResult(snippet);
    }

    /// Whether nothing of a snippet stays when it has run.
    private static boolean passes(Snippet snippet) {
        return isResult(snippet) || !snippet.kind().isPersistent();
    }

    private static boolean isResult(Snippet snippet) {
        return snippet.subKind() == SubKind.TEMP_VAR_EXPRESSION_SUBKIND
                || (snippet instanceof VarSnippet variable && variable.name().isEmpty());
    }

    private void drop(Snippet snippet) {
        if (jshell.status(snippet).isActive()) {
            var unused = jshell.drop(snippet);
        }
        if (isResult(snippet)) {
            forgetting.classes(control.takeClasses(snippet.id()));
        } else {
            // The same declaration again is the same class again, which JShell does not load twice.
            control.empty(snippet.id());
        }
    }

    /// @param name any name
    /// @return whether a variable of that name can be used
    public boolean hasVariable(String name) {
        return lock.with(() -> variable(name).isPresent());
    }

    private Optional<VarSnippet> variable(String name) {
        return jshell.variables().filter(v -> v.name().equals(name)).findFirst();
    }

    /// Drops a variable and its value; no-op if there is none.
    ///
    /// @param name its name
    public void dropVariable(String name) {
        var unused =
                lock.with(
                        () -> {
                            var found = variable(name);
                            found.ifPresent(
                                    variable -> {
                                        known.clear();
                                        drop(variable);
                                    });
                            return found;
                        });
    }

    /// @param declaration one that waits for others
    /// @return a line that says for what, or null if it waits no longer
    public @Nullable String waitsFor(DeclarationSnippet declaration) {
        return lock.<@Nullable String>with(
                () ->
                        switch (jshell.status(declaration)) {
                            case RECOVERABLE_DEFINED, RECOVERABLE_NOT_DEFINED -> needs(declaration);
                            default -> null;
                        });
    }

    /// @return name of each declaration that cannot be used yet, and a line that says why
    public Map<String, String> waiting() {
        return lock.with(
                () ->
                        jshell.snippets()
                                .filter(s -> jshell.status(s) == Status.RECOVERABLE_NOT_DEFINED)
                                .filter(s -> !Journal.isForgotten(s))
                                .filter(DeclarationSnippet.class::isInstance)
                                .map(DeclarationSnippet.class::cast)
                                .collect(
                                        Collectors.toMap(
                                                DeclarationSnippet::name,
                                                this::needs,
                                                (a, _) -> a)));
    }

    /// @return names of all variables, methods and types that cells can use now
    public Set<String> names() {
        return lock.with(
                () ->
                        Stream.of(jshell.variables(), jshell.methods(), jshell.types())
                                .flatMap(all -> all)
                                .map(DeclarationSnippet::name)
                                .filter(name -> !name.startsWith("$"))
                                .collect(Collectors.toSet()));
    }

    /// @param simple simple name of a type
    /// @return full names of the types on the class path that are called so
    public List<String> qualified(String simple) {
        return ask(analysis -> analysis.listQualifiedNames(simple, simple.length()).getNames());
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

    /// Finds where in a cell a frame of one of its classes is.
    ///
    /// @param frame any frame
    /// @return the snippet and the offset in its source, or null if the frame is not a cell's
    public @Nullable Place place(StackTraceElement frame) {
        return CellControl.isCellClass(frame.getClassName())
                ? lock.<@Nullable Place>with(() -> places.find(frame, jshell))
                : null;
    }

    @Override
    public void close() {
        var unused =
                lock.with(
                        () -> {
                            jshell.close();
                            return true;
                        });
    }

    /// A place in a snippet.
    ///
    /// @param origin where the snippet stands; null for start-up code
    /// @param offset in it
    public record Place(@Nullable Origin origin, int offset) {}

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
