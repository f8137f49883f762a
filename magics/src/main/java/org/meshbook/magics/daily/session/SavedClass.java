package org.meshbook.magics.daily.session;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.meshbook.kernel.spi.Workspace.Declaration;
import org.meshbook.kernel.spi.Workspace.Variable;

/// A session as one class: variables are static fields that `main` fills in the order of the cells,
/// methods and types are static members, statements stand in `main`.
final class SavedClass {
    private static final String WRAP = "class A {\n";

    private final String name;
    private final List<String> imports;
    private final Map<String, String> types;
    private final StringBuilder fields = new StringBuilder();
    private final StringBuilder members = new StringBuilder();
    private final StringBuilder main = new StringBuilder();

    SavedClass(String name, List<String> imports, List<Variable> variables) {
        this.name = name;
        this.imports = imports;
        types =
                variables.stream()
                        .collect(
                                Collectors.toMap(
                                        Variable::name, Variable::type, (_, later) -> later));
    }

    String source(List<Declaration> declared) {
        var own =
                declared.stream()
                        .filter(d -> d.kind() == Declaration.Kind.IMPORT)
                        .map(Declaration::source)
                        .map(s -> s.endsWith(";") ? s : s + ";")
                        .filter(s -> !imports.contains(s))
                        .collect(Collectors.joining("\n"));
        declared.forEach(this::add);
        return """
        %s
        %s

        /// A Meshbook session.
        public final class %s {
        %s
            public static void main(String[] args) throws Throwable {
        %s    }
        %s}
        """
                .formatted(
                        String.join("\n", imports),
                        own,
                        name,
                        fields,
                        main.toString().indent(8),
                        members);
    }

    private void add(Declaration declaration) {
        var source = declaration.source();
        switch (declaration.kind()) {
            case IMPORT -> {}
            case METHOD, TYPE -> {
                var parsed = parse(source);
                var prefix = parsed.isStatic() ? "" : "static ";
                members.append("\n").append((prefix + source).indent(4));
            }
            case VARIABLE -> variables(source);
            case STATEMENT -> main.append(statement(source)).append('\n');
        }
    }

    private void variables(String source) {
        var parsed = parse(source.endsWith(";") ? source : source + ";");
        for (var variable : parsed.variables()) {
            var type = types.getOrDefault(variable.name(), variable.type());
            fields.append("    static %s %s;%n".formatted(type, variable.name()));
            if (!variable.value().isEmpty()) {
                var array = variable.isBareArray() ? "new " + type + " " : "";
                main.append("%s = %s%s;%n".formatted(variable.name(), array, variable.value()));
            }
        }
    }

    /// An expression that is no statement is printed, as its cell showed it.
    private static String statement(String source) {
        var code = source.replaceFirst(";+\\s*$", "");
        if (parses("void m() { " + code + "; }")) {
            return code.endsWith("}") ? code : code + ";";
        }
        return parses("Object o = " + code + ";") ? "System.out.println(" + code + ");" : source;
    }

    private static boolean parses(String member) {
        var problems = new DiagnosticCollector<JavaFileObject>();
        var unused = units("A", WRAP + member + "\n}", List.of(), problems, false);
        return problems.getDiagnostics().isEmpty();
    }

    /// A declaration's parts.
    private record Parsed(boolean isStatic, List<Part> variables) {}

    private record Part(String name, String type, String value, boolean isBareArray) {}

    private static Parsed parse(String source) {
        var problems = new DiagnosticCollector<JavaFileObject>();
        var text = WRAP + source + "\n}";
        var parsed = units("A", text, List.of(), problems, false);
        var positions = Trees.instance(parsed.task()).getSourcePositions();
        var unit = parsed.units().getFirst();
        var members =
                unit.getTypeDecls().stream()
                        .filter(ClassTree.class::isInstance)
                        .flatMap(t -> ((ClassTree) t).getMembers().stream())
                        .toList();
        var parts =
                members.stream()
                        .filter(VariableTree.class::isInstance)
                        .map(VariableTree.class::cast)
                        .map(v -> part(v, text, unit, positions))
                        .toList();
        return new Parsed(members.stream().anyMatch(SavedClass::isStatic), parts);
    }

    private static Part part(
            VariableTree variable,
            String text,
            CompilationUnitTree unit,
            com.sun.source.util.SourcePositions positions) {
        var value = variable.getInitializer();
        var type = variable.getType();
        var bare = value instanceof NewArrayTree array && array.getType() == null;
        return new Part(
                variable.getName().toString(),
                type == null ? "Object" : type.toString(),
                value == null
                        ? ""
                        : text.substring(
                                (int) positions.getStartPosition(unit, value),
                                (int) positions.getEndPosition(unit, value)),
                bare);
    }

    private static boolean isStatic(Tree member) {
        ModifiersTree modifiers =
                switch (member) {
                    case ClassTree type -> type.getModifiers();
                    case com.sun.source.tree.MethodTree method -> method.getModifiers();
                    default -> null;
                };
        return modifiers != null && modifiers.getFlags().contains(Modifier.STATIC);
    }

    /// @param name the class
    /// @param source its text
    /// @param classPath what it may use
    /// @return why javac refuses it, in one line
    static Optional<String> problem(String name, String source, List<Path> classPath) {
        var problems = new DiagnosticCollector<JavaFileObject>();
        var path =
                classPath.stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator));
        var unused = units(name, source, List.of("-proc:none", "-cp", path), problems, true);
        return problems.getDiagnostics().stream()
                .filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
                .findFirst()
                .map(
                        d ->
                                "line %d: %s"
                                        .formatted(
                                                d.getLineNumber(),
                                                d.getMessage(Locale.ROOT).replaceAll("\\s+", " ")));
    }

    private record Units(JavacTask task, List<CompilationUnitTree> units) {}

    private static Units units(
            String name,
            String source,
            List<String> options,
            DiagnosticCollector<JavaFileObject> problems,
            boolean analyze) {
        var task =
                (JavacTask)
                        ToolProvider.getSystemJavaCompiler()
                                .getTask(
                                        null,
                                        null,
                                        problems,
                                        options,
                                        null,
                                        List.of(new Text(name, source)));
        try {
            var units = new java.util.ArrayList<CompilationUnitTree>();
            task.parse().forEach(units::add);
            if (analyze) {
                var unused = task.analyze();
            }
            return new Units(task, units);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
