package org.meshbook.kernel.config;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;

/// `%config`.
///
/// @param settings what it lists and sets
public record ConfigMagic(Settings settings) implements Magic {
    @Override
    public String name() {
        return "config";
    }

    @Override
    public String group() {
        return "session";
    }

    @Override
    public String help() {
        return """
        Lists what can be set, or sets it for the cells to come.

        %config                   all settings, their values and what they mean
        %config NAME              one of them
        %config NAME=VALUE        sets it; the running cell obeys, too
        %config NAME=default      what it was at first

        """
                + table();
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var typed = call.arguments().strip();
        if (typed.isEmpty()) {
            cell.out().print(table());
            return null;
        }
        var parts = typed.split("\\s*=\\s*|\\s+", 2);
        var setting =
                settings.find(parts[0]).orElseThrow(() -> new MagicException(unknown(parts[0])));
        if (parts.length == 2) {
            setting.set(parts[1].strip());
        }
        cell.out()
                .printf(
                        "%s=%s  (%s; default %s)%n",
                        setting.name(), setting.text(), setting.meaning(), setting.standard());
        return null;
    }

    private String table() {
        return settings.all().stream()
                .map(
                        s ->
                                "  %-28s %s%s%n"
                                        .formatted(
                                                s.name() + "=" + s.text(),
                                                s.meaning(),
                                                s.text().equals(s.standard())
                                                        ? ""
                                                        : " (default " + s.standard() + ")"))
                .collect(Collectors.joining());
    }

    private String unknown(String name) {
        var known = settings.all().stream().map(Setting::name).toList();
        var near = Nearest.hint(name, known);
        return "no setting named \"%s\"%s"
                .formatted(name, near.isEmpty() ? "; there are " + String.join(", ", known) : near);
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        var typed =
                arguments.substring(0, Math.clamp(cursor, 0, arguments.length())).stripLeading();
        var equal = typed.indexOf('=');
        if (equal < 0) {
            return settings.all().stream()
                    .map(s -> s.name() + "=")
                    .filter(word -> word.startsWith(typed))
                    .toList();
        }
        var name = typed.substring(0, equal).strip();
        return settings
                .find(name)
                .map(setting -> setting.examples().stream().map(v -> name + "=" + v))
                .stream()
                .flatMap(words -> words)
                .filter(word -> word.startsWith(typed))
                .toList();
    }
}
