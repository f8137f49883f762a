package org.meshbook.kernel.console.line;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jline.keymap.KeyMap;
import org.jline.reader.Buffer;
import org.jline.reader.LineReader;
import org.jline.reader.Reference;
import org.jline.utils.AttributedString;
import org.meshbook.kernel.cell.CellEngine;

/// What keys do here that JLine does not know: Tab indents where nothing can be completed, a
/// closing brace moves back, Shift-Tab explains, Alt-Enter goes to a new line.
final class Keys {
    private static final String SHIFT_TAB = "\u001b[Z";
    private static final String TAB = "tab-or-complete";
    private static final String BRACE = "close-brace";
    private static final String EXPLAIN = "explain";
    private static final String NEW_LINE = "new-line";

    /// What arrows send where the terminal does not follow its mode, as over some connections.
    private static final Map<String, String> ARROWS =
            Map.of(
                    "\u001b[A", LineReader.UP_LINE_OR_HISTORY,
                    "\u001b[B", LineReader.DOWN_LINE_OR_HISTORY,
                    "\u001b[C", LineReader.FORWARD_CHAR,
                    "\u001b[D", LineReader.BACKWARD_CHAR,
                    "\u001b[H", LineReader.BEGINNING_OF_LINE,
                    "\u001b[F", LineReader.END_OF_LINE);

    private final LineReader reader;
    private final CellEngine engine;

    private Keys(LineReader reader, CellEngine engine) {
        this.reader = reader;
        this.engine = engine;
    }

    static void bind(LineReader reader, CellEngine engine) {
        var keys = new Keys(reader, engine);
        reader.getWidgets().put(TAB, keys::tab);
        reader.getWidgets().put(BRACE, keys::closeBrace);
        reader.getWidgets().put(EXPLAIN, keys::explain);
        reader.getWidgets().put(NEW_LINE, keys::newLine);
        for (var name : new String[] {LineReader.EMACS, LineReader.VIINS}) {
            var map = requireNonNull(reader.getKeyMaps().get(name), "every reader has " + name);
            map.bind(new Reference(TAB), "\t");
            map.bind(new Reference(BRACE), "}");
            map.bind(new Reference(EXPLAIN), SHIFT_TAB);
            map.bind(new Reference(NEW_LINE), KeyMap.alt('\r'), KeyMap.alt('\n'));
            ARROWS.forEach((key, widget) -> map.bind(new Reference(widget), key));
        }
    }

    private boolean tab() {
        if (indentation(reader.getBuffer()) >= 0) {
            reader.getBuffer().write(" ".repeat(Typed.INDENT));
            return true;
        }
        reader.callWidget(LineReader.EXPAND_OR_COMPLETE);
        return true;
    }

    private boolean closeBrace() {
        var buffer = reader.getBuffer();
        if (indentation(buffer) >= Typed.INDENT) {
            buffer.backspace(Typed.INDENT);
        }
        buffer.write('}');
        return true;
    }

    /// Blanks before the cursor if its line has nothing else there, else -1.
    private static int indentation(Buffer buffer) {
        var before = buffer.upToCursor();
        var line = before.substring(before.lastIndexOf('\n') + 1);
        return line.isBlank() ? line.length() : -1;
    }

    private boolean newLine() {
        reader.getBuffer().write('\n');
        return true;
    }

    private boolean explain() {
        var buffer = reader.getBuffer();
        var found = engine.inspect(buffer.toString(), buffer.cursor(), 1);
        if (found == null) {
            return false;
        }
        var text = String.valueOf(found.bundle().get("text/plain")).stripTrailing();
        reader.printAbove(AttributedString.fromAnsi(text));
        return true;
    }
}
