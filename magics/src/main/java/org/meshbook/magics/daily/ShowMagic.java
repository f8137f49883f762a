package org.meshbook.magics.daily;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.DisplayData;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.MagicException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// `%%html` and its relatives: the cell's text, shown as what it is.
///
/// @param name the magic
/// @param what what the text is
/// @param mime its MIME type
/// @param example one
record ShowMagic(String name, String what, String mime, String example) implements Magic {
    private static final String JSON = "application/json";

    static List<Magic> all() {
        return List.of(
                new ShowMagic("html", "HTML", "text/html", "<b>bold</b>"),
                new ShowMagic(
                        "svg",
                        "an SVG picture",
                        "image/svg+xml",
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\""
                                + " height=\"20\"><circle cx=\"10\" cy=\"10\" r=\"8\"/></svg>"),
                new ShowMagic("markdown", "Markdown", "text/markdown", "**bold**"),
                new ShowMagic("latex", "LaTeX", "text/latex", "$$e^{i\\pi} = -1$$"),
                new ShowMagic(
                        "javascript",
                        "JavaScript, which the front end runs if it trusts the notebook",
                        "application/javascript",
                        "element.textContent = 'hello'"),
                new ShowMagic("json", "a JSON tree that can be folded", JSON, "{\"a\": [1, 2]}"));
    }

    @Override
    public Form form() {
        return Form.CELL;
    }

    @Override
    public String group() {
        return "display";
    }

    @Override
    public String help() {
        return """
        Shows the rest of the cell as %s.

        %%%%%s
        %s

        A front end that does not know %s shows the text. display(text, "%s") does the
        same for a text of Java's.
        """
                .formatted(what, name, example, mime, mime);
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        if (!call.arguments().isEmpty()) {
            throw new MagicException(
                    "%%%%%s takes nothing in its line, found '%s'; put it into the next line"
                            .formatted(name, call.arguments()));
        }
        if (call.body().isBlank()) {
            throw new MagicException(
                    "%%%%%s shows the lines below it, and there are none".formatted(name));
        }
        var text = call.body().strip();
        cell.display(DisplayData.text(text).and(mime, mime.equals(JSON) ? tree(text) : text));
        return null;
    }

    private static Object tree(String text) {
        try {
            return JsonMapper.shared().readValue(text, Object.class);
        } catch (JacksonException e) {
            var at = e.getLocation();
            throw new MagicException(
                    "%%%%json: line %d, column %d: %s"
                            .formatted(
                                    at == null ? 1 : at.getLineNr(),
                                    at == null ? 1 : at.getColumnNr(),
                                    e.getOriginalMessage().lines().findFirst().orElse("no JSON")));
        }
    }
}
