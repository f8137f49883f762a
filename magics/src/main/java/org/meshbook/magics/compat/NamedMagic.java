package org.meshbook.magics.compat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Magic;

/// A magic that a notebook or a library registered by a name of IJava or JJava. Thread-safe.
public final class NamedMagic implements Magic {
    private static final Map<Key, NamedMagic> KNOWN = new ConcurrentHashMap<>();

    private final String name;
    private volatile @Nullable Way line;
    private volatile @Nullable Way body;

    private record Key(Object engine, String name) {}

    /// What it does.
    public interface Way {
        /// @param args the words after the name
        /// @param body the lines below; empty for a line magic
        /// @return its value
        /// @throws Exception what went wrong
        @Nullable Object run(List<String> args, String body) throws Exception;
    }

    private NamedMagic(String name) {
        this.name = name;
    }

    /// @param name without its `%`
    /// @param way what it does
    public static void line(String name, Way way) {
        known(name).line = way;
    }

    /// @param name without its `%%`
    /// @param way what it does
    public static void cell(String name, Way way) {
        known(name).body = way;
    }

    private static NamedMagic known(String name) {
        var workspace = Bridge.cell().workspace();
        return KNOWN.computeIfAbsent(
                new Key(workspace, name),
                _ -> {
                    var made = new NamedMagic(name);
                    workspace.activate(
                            new Extension() {
                                @Override
                                public List<Magic> magics() {
                                    return List.of(made);
                                }
                            });
                    return made;
                });
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Form form() {
        return line == null ? Form.CELL : body == null ? Form.LINE : Form.LINE_AND_CELL;
    }

    @Override
    public String group() {
        return "libraries";
    }

    @Override
    public String help() {
        return "Registered by this notebook or by a library of it.";
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws Exception {
        var args = new ArrayList<>(words(call.arguments()));
        var way = call.body().isEmpty() && line != null ? line : body;
        return way == null ? null : way.run(args, call.body());
    }

    private static List<String> words(String arguments) {
        return org.meshbook.magics.maven.Globs.words(arguments);
    }
}
