package org.dflib.jjava.jupyter.kernel;

import java.util.List;
import org.dflib.jjava.jupyter.kernel.display.DisplayData;
import org.jspecify.annotations.Nullable;
import org.meshbook.magics.compat.Bridge;

/// What JJava's cells have without an import. Thread-safe.
public class BaseNotebookStatics {
    public static void printf(String format, @Nullable Object... values) {
        System.out.printf(format, values);
    }

    public static @Nullable Object eval(String code) {
        return Bridge.run(code);
    }

    public static <T> T lineMagic(String name, List<String> args) {
        return Bridge.lineMagic(name, args);
    }

    public static <T> T cellMagic(String name, List<String> args, String body) {
        return Bridge.cellMagic(name, args, body);
    }

    public static DisplayData render(@Nullable Object value) {
        return Bridge.kernel().getRenderer().render(value);
    }

    public static DisplayData render(@Nullable Object value, String... types) {
        return Bridge.kernel().getRenderer().renderAs(value, types);
    }

    public static String display(@Nullable Object value) {
        return Bridge.display(render(value));
    }

    public static String display(@Nullable Object value, String... types) {
        return Bridge.display(render(value, types));
    }

    public static void updateDisplay(String id, @Nullable Object value) {
        Bridge.cell().update(Bridge.ours(render(value)).withId(id));
    }

    public static void updateDisplay(String id, @Nullable Object value, String... types) {
        Bridge.cell().update(Bridge.ours(render(value, types)).withId(id));
    }
}
