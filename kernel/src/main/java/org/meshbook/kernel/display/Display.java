package org.meshbook.kernel.display;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
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

    /// Shows a value as given MIME types, as `display("<b>bold</b>", "text/html")`.
    ///
    /// @param value any value; a text is taken as the content of those types
    /// @param types MIME types; what the value cannot be is left out
    /// @return its display id, for [#updateDisplay]
    public static String display(@Nullable Object value, String... types) {
        return show(render(value, types));
    }

    /// Replaces what was shown with an id.
    ///
    /// @param id what [#display] gave
    /// @param value the new value
    public static void updateDisplay(String id, @Nullable Object value) {
        scope().update(render(value).withId(id));
    }

    /// Replaces what was shown with an id, by a value as given MIME types.
    ///
    /// @param id what [#display] gave
    /// @param value the new value
    /// @param types MIME types
    public static void updateDisplay(String id, @Nullable Object value, String... types) {
        scope().update(render(value, types).withId(id));
    }

    /// Asks the user for a line.
    ///
    /// @param prompt what to show before the field
    /// @return the line, without its end
    /// @throws IOException if nobody can be asked
    /// @throws InterruptedException if the cell is interrupted meanwhile
    public static String ask(String prompt) throws IOException, InterruptedException {
        return scope().ask(prompt, false);
    }

    /// Asks the user for a line that nobody else should read: it is hidden while it is typed, and
    /// not kept in the notebook.
    ///
    /// @param prompt what to show before the field
    /// @return the line, without its end
    /// @throws IOException if nobody can be asked
    /// @throws InterruptedException if the cell is interrupted meanwhile
    public static String askSecret(String prompt) throws IOException, InterruptedException {
        return scope().ask(prompt, true);
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

    /// @param value any value; a text is taken as the content of those types
    /// @param types MIME types
    /// @return what it would be shown as, in those of them that it can be
    public static DisplayData render(@Nullable Object value, String... types) {
        if (types.length == 1 && value instanceof CharSequence) {
            return typed(value, types[0]);
        }
        var shown = scope().render(value, new LinkedHashSet<>(List.of(types)));
        for (var type : types) {
            if (!shown.bundle().containsKey(type) && isText(type)) {
                shown = shown.and(type, typed(value, type).bundle().getOrDefault(type, ""));
            }
        }
        return shown;
    }

    private static DisplayData typed(@Nullable Object value, String type) {
        return switch (type) {
            case "text/html" -> html(String.valueOf(value));
            case "application/json" -> json(value);
            default -> {
                var text = String.valueOf(value);
                var data = DisplayData.text(text);
                yield type.equals("text/plain") ? data : data.and(type, text);
            }
        };
    }

    private static boolean isText(String type) {
        return type.startsWith("text/") || type.startsWith("application/") || type.endsWith("+xml");
    }

    /// Runs a magic, as `List<String> jars = magic("jars lib/*.jar")`; a cell may write
    /// `List<String> jars = %jars lib/*.jar` as well.
    ///
    /// @param line the magic without its `%`
    /// @return its value, of the type that the caller wants
    /// @throws Exception what it threw
    @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"}) // the caller knows
    public static <T extends @Nullable Object> T magic(String line) throws Exception {
        Cell cell =
                scope().asCell()
                        .orElseThrow(() -> new IllegalStateException("magics run only in cells"));
        return (T) cell.run((line.startsWith("%") ? "" : "%") + line);
    }

    /// @param html a piece of HTML
    /// @return it, to be shown: as a cell's value, or by [#display]
    public static DisplayData html(String html) {
        return Rich.html(html);
    }

    /// @param markdown Markdown
    /// @return it, to be shown
    public static DisplayData markdown(String markdown) {
        return Rich.markdown(markdown);
    }

    /// @param latex a formula, as `\\frac{1}{2}`, or text with formulas between `$`
    /// @return it, to be shown
    public static DisplayData latex(String latex) {
        return Rich.latex(latex);
    }

    /// @param svg an SVG document
    /// @return it, to be shown
    public static DisplayData svg(String svg) {
        return Rich.svg(svg);
    }

    /// @param script JavaScript for the front end, which may refuse it
    /// @return it, to be shown
    public static DisplayData javascript(String script) {
        return Rich.javascript(script);
    }

    /// @param value text that is JSON, or maps, lists, records and scalars to write as JSON
    /// @return it, to be shown as a tree
    /// @throws IllegalArgumentException if it is no JSON and cannot be written as such
    public static DisplayData json(@Nullable Object value) {
        return Rich.json(value);
    }

    /// Shows a picture from bytes, a file, a web address or a `BufferedImage`.
    ///
    /// @param source `byte[]`, `Path`, `File`, `URI`, `URL`, `BufferedImage`, or text that names a
    ///   file or an address; PNG, JPEG, GIF, WebP, BMP or SVG
    /// @return it, to be shown
    /// @throws IllegalArgumentException if there is no such file or it is no picture
    /// @throws java.io.UncheckedIOException if it cannot be read
    public static DisplayData image(Object source) {
        return switch (source) {
            case byte[] bytes -> Rich.image(bytes);
            case Path file -> Rich.image(file);
            case File file -> Rich.image(file.toPath());
            case URI address -> Rich.image(address);
            case URL address -> Rich.image(URI.create(address.toString()));
            case CharSequence place -> Rich.image(place.toString());
            case BufferedImage image -> Rich.image(image);
            default ->
                    throw new IllegalArgumentException(
                            "a picture is made of bytes, a path, an address or a BufferedImage, found %s"
                                    .formatted(source.getClass().getName()));
        };
    }

    /// The value that a cell ended with. The oldest are let go when all together are too large.
    ///
    /// @param cell its number
    /// @return its value
    /// @throws IllegalArgumentException if it had none, or it was let go
    public static @Nullable Object out(int cell) {
        return scope().results().of(cell);
    }

    /// The value that a cell ended with, as what it is.
    ///
    /// @param cell its number
    /// @param type its type
    /// @return its value
    /// @throws IllegalArgumentException if it had none, or it was let go
    /// @throws ClassCastException if it is of another type
    public static <T> @Nullable T out(int cell, Class<T> type) {
        return type.cast(out(cell));
    }

    /// @return the value of the last cell that had one
    /// @throws IllegalArgumentException if none had
    public static @Nullable Object out() {
        return scope().results().last();
    }

    /// @return what the last cell that failed threw, or null
    public static @Nullable Throwable lastException() {
        return scope().results().lastException().orElse(null);
    }

    /// Binds work to the cell that calls this: wherever it runs, also on a thread of a pool that
    /// another cell made, what it prints and shows appears below this cell.
    ///
    /// @param work any work
    /// @return the same, bound
    public static Runnable wrap(Runnable work) {
        var scope = scope();
        return () -> {
            var before = CurrentScope.enter(scope);
            try {
                work.run();
            } finally {
                CurrentScope.leave(before);
            }
        };
    }

    /// Binds work to the cell that calls this, as [#wrap(Runnable)].
    ///
    /// @param work any work
    /// @return the same, bound
    public static <T extends @Nullable Object> Callable<T> wrap(Callable<T> work) {
        var scope = scope();
        return () -> {
            var before = CurrentScope.enter(scope);
            try {
                return work.call();
            } finally {
                CurrentScope.leave(before);
            }
        };
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
