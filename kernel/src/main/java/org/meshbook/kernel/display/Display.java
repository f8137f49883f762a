package org.meshbook.kernel.display;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.DisplayData;

/// The functions that every cell has without an import. They may be called on any thread; what they
/// show appears below the cell that started the thread.
public final class Display {
    private static volatile @Nullable String lastId;

    private Display() {}

    /// Shows a value below the cell.
    ///
    /// @param value any value
    /// @return its display id, for [#updateDisplay]
    public static String display(@Nullable Object value) {
        return show(render(value));
    }

    /// Shows text of a given MIME type, as `display("<b>bold</b>", "text/html")`.
    ///
    /// @param value the content; its text is taken
    /// @param mime its MIME type
    /// @return its display id, for [#updateDisplay]
    public static String display(@Nullable Object value, String mime) {
        var text = String.valueOf(value);
        var data = DisplayData.text(text);
        return show(mime.equals("text/plain") ? data : data.and(mime, text));
    }

    /// Replaces what was shown with an id.
    ///
    /// @param id what [#display] gave
    /// @param value the new value
    public static void updateDisplay(String id, @Nullable Object value) {
        scope().update(render(value).withId(id));
    }

    /// Clears the cell's output at once.
    public static void clearOutput() {
        clearOutput(false);
    }

    /// Clears the cell's output.
    ///
    /// @param wait whether to wait until something new is shown, so that it does not flicker
    public static void clearOutput(boolean wait) {
        scope().clear(wait);
    }

    /// @param value any value
    /// @return what it would be shown as
    public static DisplayData render(@Nullable Object value) {
        return value instanceof DisplayData data ? data : scope().render(value);
    }

    /// Tells a display id that [#display] has just given from a text of the user's, so that
    /// `display(x)` at the end of a cell is not followed by its id.
    ///
    /// @param value a cell's value
    /// @return whether it is the last id given
    public static boolean isLastId(@Nullable Object value) {
        return value != null && value == lastId;
    }

    private static String show(DisplayData data) {
        var id = data.id().orElseGet(() -> UUID.randomUUID().toString());
        scope().display(data.withId(id));
        lastId = id;
        return id;
    }

    private static Scope scope() {
        var scope = CurrentScope.find();
        if (scope == null) {
            throw new IllegalStateException("display was called, but no cell was ever run");
        }
        return scope;
    }
}
