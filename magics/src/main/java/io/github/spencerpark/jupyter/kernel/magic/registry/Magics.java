package io.github.spencerpark.jupyter.kernel.magic.registry;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.magics.compat.Bridge;
import org.meshbook.magics.compat.NamedMagic;

/// Adds and runs magics, as IJava's notebooks do. Thread-safe.
public class Magics {
    public <T> T applyLineMagic(String name, List<String> args) throws Exception {
        return Bridge.lineMagic(name, args);
    }

    public <T> T applyCellMagic(String name, List<String> args, String body) throws Exception {
        return Bridge.cellMagic(name, args, body);
    }

    public void registerLineMagic(String name, LineMagicFunction<?> magic) {
        NamedMagic.line(name, (args, _) -> magic.execute(args));
    }

    public void registerCellMagic(String name, CellMagicFunction<?> magic) {
        NamedMagic.cell(name, magic::execute);
    }

    public <T extends LineMagicFunction<?> & CellMagicFunction<?>> void registerLineCellMagic(
            String name, T magic) {
        registerLineMagic(name, magic);
        registerCellMagic(name, magic);
    }

    /// @param magics its annotated methods become magics
    public void registerMagics(Object magics) {
        register(magics.getClass(), magics);
    }

    /// @param magics its annotated static methods become magics
    public void registerMagics(Class<?> magics) {
        register(magics, null);
    }

    private void register(Class<?> type, @Nullable Object instance) {
        for (var method : type.getDeclaredMethods()) {
            var line = method.getAnnotation(LineMagic.class);
            var cell = method.getAnnotation(CellMagic.class);
            if (line != null) {
                names(method, line.value(), line.aliases())
                        .forEach(
                                name ->
                                        NamedMagic.line(
                                                name,
                                                (args, _) -> call(method, instance, args, null)));
            }
            if (cell != null) {
                names(method, cell.value(), cell.aliases())
                        .forEach(
                                name ->
                                        NamedMagic.cell(
                                                name,
                                                (args, body) ->
                                                        call(method, instance, args, body)));
            }
        }
    }

    private static Stream<String> names(Method method, String value, String[] aliases) {
        return Stream.concat(
                Stream.of(value.isEmpty() ? method.getName() : value), Stream.of(aliases));
    }

    private static @Nullable Object call(
            Method method, @Nullable Object instance, List<String> args, @Nullable String body)
            throws Exception {
        method.setAccessible(true);
        var all = new ArrayList<@Nullable Object>();
        all.add(args);
        all.add(body);
        try {
            return method.invoke(instance, all.subList(0, method.getParameterCount()).toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
