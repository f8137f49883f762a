package org.meshbook.kernel.widgets.controls;

import java.util.Locale;
import java.util.Set;

/// The properties that a widget's layout takes.
final class Css {
    private static final Set<String> PROPERTIES =
            Set.of(
                    """
                    align_content align_items align_self border_bottom border_left border_right border_top
                    bottom display flex flex_flow grid_area grid_auto_columns grid_auto_flow grid_auto_rows
                    grid_column grid_gap grid_row grid_template_areas grid_template_columns grid_template_rows
                    height justify_content justify_items left margin max_height max_width min_height min_width
                    object_fit object_position order overflow padding right top visibility width
                    """
                            .split("\\s+"));

    private Css() {}

    /// @param property as in CSS
    /// @return its key
    static String property(String property) {
        var key = property.toLowerCase(Locale.ROOT).replace('-', '_');
        if (!PROPERTIES.contains(key)) {
            throw new IllegalArgumentException(
                    "a widget's layout has no '%s'; it has width, height, margin, padding, display, flex-flow, and more of CSS's box and grid (for colours: style)"
                            .formatted(property));
        }
        return key;
    }
}
