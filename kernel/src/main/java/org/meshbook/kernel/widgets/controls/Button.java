package org.meshbook.kernel.widgets.controls;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.meshbook.kernel.widgets.model.Calls;
import org.meshbook.kernel.widgets.model.Model;

/// A button.
public final class Button extends Described<Button> {
    private static final List<String> LOOKS =
            List.of("", "primary", "success", "info", "warning", "danger");

    private final List<Calls.Action> clicks = new CopyOnWriteArrayList<>();

    private Button() {
        super(Model.Names.control("Button"), "ButtonStyle");
        model().onCustom(
                        content -> {
                            if ("click".equals(content.get("event"))) {
                                click();
                            }
                        });
    }

    /// @param label words on it
    /// @return a button
    public static Button of(String label) {
        return new Button().label(label);
    }

    /// @param action run at each click as a cell is: what it prints appears below the cell that
    ///   showed the button
    /// @return this
    public Button onClick(Calls.Action action) {
        clicks.add(action);
        return this;
    }

    /// Does what a click does, on the calling thread.
    public void click() {
        Calls.all(clicks);
    }

    /// @param look primary, success, info, warning, danger, or empty
    /// @return this
    public Button look(String look) {
        model().put("button_style", Looks.one(look, LOOKS));
        return this;
    }

    /// @param name of a picture of Font Awesome 4, as `check`
    /// @return this
    public Button icon(String name) {
        model().put("icon", name);
        return this;
    }

    @Override
    String content() {
        return "label=" + Control.text(label());
    }

    @Override
    Button self() {
        return this;
    }
}
