package org.meshbook.kernel.jshell;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;
import jdk.jshell.MethodSnippet;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.SubKind;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.VarSnippet;
import org.meshbook.kernel.spi.Workspace.Declaration;
import org.meshbook.kernel.spi.Workspace.Declaration.Kind;
import org.meshbook.kernel.spi.Workspace.Variable;

/// What one JShell was told, in the order it was told: what Meshbook declared before the first
/// cell, and what cells declared and did since.
///
/// Owned by the thread that holds the shell's lock.
final class Journal {
    /// Statements beyond it are forgotten, the oldest first; what is declared stays.
    private static final int MOST_STATEMENTS = 5_000;

    /// A cell's result by its number, which is no variable of the user's.
    private static final Pattern RESULT = Pattern.compile("\\$\\d+|");

    private final JShell jshell;
    private final KeptVariables kept;
    private final List<Snippet> ours = new ArrayList<>();
    private final List<Told> theirs = new ArrayList<>();

    Journal(JShell jshell, KeptVariables kept) {
        this.jshell = jshell;
        this.kept = kept;
    }

    private record Told(Snippet snippet, Kind kind, String source) {}

    /// Meshbook itself declared something.
    void ours(Snippet snippet) {
        if (kind(snippet) != Kind.STATEMENT) {
            ours.add(snippet);
        }
    }

    /// A cell declared something, or did something that did not fail.
    ///
    /// @param source as it was typed
    void theirs(Snippet snippet, String source) {
        theirs.add(new Told(snippet, kind(snippet), source.strip()));
        if (theirs.size() > 2 * MOST_STATEMENTS) {
            prune();
        }
    }

    private void prune() {
        theirs.removeIf(told -> told.kind() != Kind.STATEMENT && !isActive(told.snippet()));
        var surplus = theirs.stream().filter(t -> t.kind() == Kind.STATEMENT).count();
        for (var it = theirs.iterator(); it.hasNext() && surplus > MOST_STATEMENTS; ) {
            if (it.next().kind() == Kind.STATEMENT) {
                it.remove();
                surplus--;
            }
        }
    }

    List<Variable> variables() {
        return jshell.variables()
                .filter(v -> !RESULT.matcher(v.name()).matches())
                .map(this::variable)
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Variable> variable(VarSnippet snippet) {
        return jshell.status(snippet).isDefined()
                ? kept.holder(snippet.id(), snippet.name())
                        .map(
                                field ->
                                        new Variable(
                                                snippet.name(),
                                                snippet.typeName(),
                                                KeptVariables.read(field)))
                : Optional.empty();
    }

    private boolean isActive(Snippet snippet) {
        return jshell.status(snippet).isActive();
    }

    List<Declaration> declarations() {
        var found = new ArrayList<Declaration>();
        var before = "";
        for (var told : theirs) {
            var statement = told.kind() == Kind.STATEMENT;
            // `int a, b;` is two snippets of one source.
            var again = !statement && told.source().equals(before);
            if (!again && (statement || isActive(told.snippet()))) {
                found.add(new Declaration(told.kind(), name(told.snippet()), told.source()));
            }
            before = told.source();
        }
        return found;
    }

    private static Kind kind(Snippet snippet) {
        return switch (snippet) {
            case ImportSnippet _ -> Kind.IMPORT;
            case MethodSnippet _ -> Kind.METHOD;
            case TypeDeclSnippet _ -> Kind.TYPE;
            case VarSnippet v
                    when v.subKind() != SubKind.TEMP_VAR_EXPRESSION_SUBKIND
                            && !v.name().isEmpty() ->
                    Kind.VARIABLE;
            default -> Kind.STATEMENT;
        };
    }

    private static String name(Snippet snippet) {
        return switch (snippet) {
            case ImportSnippet i -> i.fullname();
            case MethodSnippet m -> m.name();
            case TypeDeclSnippet t -> t.name();
            case VarSnippet v -> v.name();
            default -> "";
        };
    }

    /// @param type a type's name
    /// @return source of a type of that name that is never defined
    static String forgotten(String type) {
        return "class %s extends reset$forgot { }".formatted(type);
    }

    static boolean isForgotten(Snippet snippet) {
        return snippet.source().endsWith(" extends reset$forgot { }");
    }

    /// @return what is there by cells, the newest first: nothing that is left depends on what goes
    List<Snippet> toForget() {
        return jshell.snippets().filter(s -> isActive(s) && !ours.contains(s)).toList().reversed();
    }

    /// Forgets what cells did.
    ///
    /// @return sources of Meshbook's own that cells had replaced, to be declared anew
    List<String> clear() {
        theirs.clear();
        var replaced = ours.stream().filter(s -> !isActive(s)).toList();
        ours.removeAll(replaced);
        return replaced.stream().map(Snippet::source).toList();
    }
}
