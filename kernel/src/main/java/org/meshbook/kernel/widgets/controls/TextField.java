package org.meshbook.kernel.widgets.controls;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.meshbook.kernel.widgets.model.Calls;
import org.meshbook.kernel.widgets.model.Model;

/// Text: typed by the user in a field, or only shown.
public final class TextField extends Control<String, TextField> {
    private static final int MOST_SHOWN = 60;

    private final List<Listener<? super String>> submits = new CopyOnWriteArrayList<>();
    private final Kind kind;

    /// What kind of text.
    public enum Kind {
        /// One line.
        LINE("Text", "TextStyle"),
        /// Several lines.
        AREA("Textarea", "TextStyle"),
        /// One line that nobody can read.
        PASSWORD("Password", "TextStyle"),
        /// Shown, not typed.
        LABEL("Label", "LabelStyle"),
        /// Shown as HTML.
        HTML("HTML", "HTMLStyle");

        private final String word;
        private final String style;

        Kind(String word, String style) {
            this.word = word;
            this.style = style;
        }
    }

    private TextField(Kind kind, String value) {
        super(Model.Names.control(kind.word), kind.style, "value");
        this.kind = kind;
        begin(value);
        model().onCustom(this::said);
    }

    /// @param kind what kind of text
    /// @param value the first text
    /// @return a field
    public static TextField of(Kind kind, String value) {
        return new TextField(kind, value);
    }

    /// @param text shown while the field is empty
    /// @return this
    public TextField placeholder(String text) {
        model().put("placeholder", text);
        return this;
    }

    /// @param count height of an area, in lines
    /// @return this
    public TextField rows(int count) {
        model().put("rows", count);
        return this;
    }

    /// @param live whether every key is a new value; else only Enter, or leaving the field
    /// @return this
    public TextField continuous(boolean live) {
        model().put("continuous_update", live);
        return this;
    }

    /// @param listener told the text when the user presses Enter
    /// @return this
    public TextField onSubmit(Listener<? super String> listener) {
        submits.add(listener);
        return this;
    }

    private void said(Map<?, ?> content) {
        if ("submit".equals(content.get("event"))) {
            var value = value();
            Calls.all(
                    submits.stream()
                            .<Calls.Action>map(listener -> () -> listener.changed(value))
                            .toList());
        }
    }

    @Override
    Object encoded(String value) {
        return value;
    }

    @Override
    String decoded(Object raw) {
        if (raw instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("'" + raw + "' is no text");
    }

    @Override
    void check(String value) {}

    @Override
    String content() {
        var value = value();
        if (kind == Kind.PASSWORD) {
            return labelled() + "value=" + (value.isEmpty() ? "\"\"" : "(hidden)");
        }
        var cut = value.length() > MOST_SHOWN ? value.substring(0, MOST_SHOWN) + "..." : value;
        return labelled() + "value=" + text(cut);
    }

    @Override
    TextField self() {
        return this;
    }
}
