package org.meshbook.kernel.widgets.controls;

import org.meshbook.kernel.widgets.model.Model;

/// On or off: a checkbox, or a button that stays down.
public final class Toggle extends Control<Boolean, Toggle> {
    private Toggle(String name, String style, boolean on) {
        super(Model.Names.control(name), style, "value");
        begin(on);
    }

    /// @param label words at its side
    /// @param on whether it starts ticked
    /// @return a checkbox
    public static Toggle checkbox(String label, boolean on) {
        return new Toggle("Checkbox", "CheckboxStyle", on).label(label);
    }

    /// @param label words on it
    /// @param on whether it starts pressed
    /// @return a button that stays down
    public static Toggle button(String label, boolean on) {
        return new Toggle("ToggleButton", "ToggleButtonStyle", on).label(label);
    }

    @Override
    Object encoded(Boolean value) {
        return value;
    }

    @Override
    Boolean decoded(Object raw) {
        if (raw instanceof Boolean on) {
            return on;
        }
        throw new IllegalArgumentException("'" + raw + "' is neither true nor false");
    }

    @Override
    void check(Boolean value) {}

    @Override
    Toggle self() {
        return this;
    }
}
