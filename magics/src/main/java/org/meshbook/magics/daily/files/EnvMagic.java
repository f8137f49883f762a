package org.meshbook.magics.daily.files;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;
import org.meshbook.kernel.spi.Workspace;
import org.meshbook.magics.render.Table;

/// `%env`.
record EnvMagic(Environment environment) implements Magic {
    private static final String MASK = "••••••";

    @Override
    public String name() {
        return "env";
    }

    @Override
    public String group() {
        return "files";
    }

    @Override
    public String help() {
        return """
        Shows or sets environment variables of the processes that cells start.

        %env                all; values of secrets are hidden
        %env NAME           one of them, as it is
        %env NAME=VALUE     sets it; the value goes to the end of the line
        %env NAME=          takes it away

        It holds for %%bash, %sh and the like. The environment of a Java process cannot be changed:
        System.getenv and libraries in cells see what the kernel was started with.
        """;
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var typed = call.arguments();
        if (typed.isEmpty()) {
            cell.display(table().display());
            return null;
        }
        var equals = typed.indexOf('=');
        var name = (equals < 0 ? typed : typed.substring(0, equals)).strip();
        if (!name.matches("[A-Za-z_][A-Za-z0-9_.-]*")) {
            throw new MagicException(
                    "%%env: '%s' is no name of a variable; write %%env NAME or %%env NAME=VALUE"
                            .formatted(name));
        }
        if (equals < 0) {
            show(name, cell);
        } else {
            set(name, typed.substring(equals + 1).strip(), cell);
        }
        return null;
    }

    private void show(String name, Cell cell) {
        var all = environment.all();
        var value = all.get(name);
        if (value == null) {
            throw new MagicException(
                    "%%env: there is no %s%s; %%env lists all"
                            .formatted(name, Nearest.hint(name, all.keySet())));
        }
        cell.out().println(value);
    }

    private void set(String name, String value, Cell cell) {
        if (value.isEmpty()) {
            environment.remove(name);
            cell.out().println(name + " is taken away, for processes that cells start");
        } else {
            environment.put(name, value);
            cell.out()
                    .println(
                            "%s=%s, for processes that cells start; System.getenv keeps what the kernel was started with"
                                    .formatted(name, Environment.isSecret(name) ? MASK : value));
        }
    }

    private Table table() {
        var table = Table.of("name", "value", "");
        for (var entry : environment.all().entrySet()) {
            var name = entry.getKey();
            table =
                    table.row(
                            name,
                            Environment.isSecret(name) ? MASK : brief(entry.getValue()),
                            environment.isChanged(name) ? "set by %env" : "");
        }
        return table;
    }

    private static String brief(String value) {
        // A password may stand in an address, as of a proxy.
        var line =
                value.replaceAll("\\p{Cntrl}", " ")
                        .replaceAll("(://[^/:@\\s]*):[^/@\\s]+@", "$1:" + MASK + "@");
        return line.length() > 100 ? line.substring(0, 99) + "…" : line;
    }

    @Override
    public List<String> complete(String arguments, int cursor, Workspace workspace) {
        var typed = arguments.substring(0, Math.min(cursor, arguments.length()));
        return environment.all().keySet().stream().filter(n -> n.startsWith(typed)).toList();
    }
}
