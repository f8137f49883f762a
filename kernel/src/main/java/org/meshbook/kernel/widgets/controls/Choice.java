package org.meshbook.kernel.widgets.controls;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.meshbook.kernel.widgets.model.Model;

/// One of several values: a dropdown, a list, radio buttons or a row of buttons. It starts with the
/// first.
///
/// @param <T> type of the values
public final class Choice<T> extends Control<T, Choice<T>> {
    private static final String INDEX = "index";

    private volatile List<T> options = List.of();

    /// How it looks.
    public enum Look {
        DROPDOWN("Dropdown", "DescriptionStyle"),
        LIST("Select", "DescriptionStyle"),
        RADIO("RadioButtons", "DescriptionStyle"),
        BUTTONS("ToggleButtons", "ToggleButtonsStyle");

        private final String word;
        private final String style;

        Look(String word, String style) {
            this.word = word;
            this.style = style;
        }
    }

    private Choice(Look look) {
        super(Model.Names.control(look.word), look.style, INDEX);
    }

    /// @param look how it looks
    /// @param options at least one; their texts are shown
    /// @return a choice of them
    public static <T> Choice<T> of(Look look, List<? extends T> options) {
        return new Choice<T>(look).options(options);
    }

    /// @param look how it looks
    /// @param options what is shown, to what it means; at least one
    /// @return a choice of them
    public static <T> Choice<T> of(Look look, Map<String, ? extends T> options) {
        return new Choice<T>(look)
                .options(List.copyOf(options.keySet()), new ArrayList<>(options.values()));
    }

    /// @return what can be chosen
    public List<T> options() {
        return options;
    }

    /// Offers others, and chooses the first unless what is chosen is among them.
    ///
    /// @param next at least one
    /// @return this
    public Choice<T> options(List<? extends T> next) {
        return options(next.stream().map(String::valueOf).toList(), next);
    }

    private Choice<T> options(List<String> labels, List<? extends T> next) {
        if (next.isEmpty()) {
            throw new IllegalArgumentException("nothing to choose from; give at least one option");
        }
        var first = options.isEmpty();
        var index = first ? 0 : Math.max(0, next.indexOf(value()));
        var kept = !first && next.contains(value());
        options = List.copyOf(next);
        model().put(Map.of("_options_labels", labels, INDEX, index));
        if (!first && !kept) {
            tell(options.get(index));
        }
        return this;
    }

    @Override
    Object encoded(T value) {
        return options.indexOf(value);
    }

    @Override
    T decoded(Object raw) {
        var all = options;
        if (raw instanceof Number index && index.intValue() >= 0 && index.intValue() < all.size()) {
            return all.get(index.intValue());
        }
        throw new IllegalArgumentException("'" + raw + "' is no index of an option");
    }

    @Override
    void check(T value) {
        if (!options.contains(value)) {
            throw new IllegalArgumentException(
                    "%s is no option; there are %s".formatted(text(value), options));
        }
    }

    @Override
    String content() {
        return super.content() + ", options=" + options;
    }

    @Override
    Choice<T> self() {
        return this;
    }
}
