package org.meshbook.kernel.widgets.controls;

import org.meshbook.kernel.widgets.model.Model;

/// A widget that has a label and looks of its own, and can be greyed out.
///
/// @param <W> its own type
public abstract sealed class Described<W extends Described<W>> extends Widget<W>
        permits Control, Button {
    private final Model style;

    Described(Model.Names names, String style) {
        super(names);
        this.style = new Model(Model.Names.style(style));
        model().put("style", this.style);
        model().put("description", "");
    }

    /// @return the words at its side, or on it
    public final String label() {
        return (String) model().value("description");
    }

    /// @param text words at its side, or on it
    /// @return this
    public final W label(String text) {
        model().put("description", text);
        return self();
    }

    /// @param greyed whether it takes no input
    /// @return this
    public final W disabled(boolean greyed) {
        model().put("disabled", greyed);
        return self();
    }

    /// @param property as ipywidgets names it: `description_width`, `handle_color`, `bar_color`,
    ///   `button_color`, `text_color`, `font_size`; one that this widget lacks has no effect
    /// @param css its value
    /// @return this
    public final W style(String property, String css) {
        style.put(property.replace('-', '_'), css);
        return self();
    }

    /// @return the label as the beginning of a text form
    final String labelled() {
        return label().isEmpty() ? "" : "label=\"" + label() + "\", ";
    }

    @Override
    public void close() {
        super.close();
        style.close();
    }
}
