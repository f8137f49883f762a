package org.meshbook.kernel.widgets.controls;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.widgets.model.Calls;
import org.meshbook.kernel.widgets.model.Model;

/// A widget that has a value, set here or there. Thread-safe.
///
/// @param <T> type of the value
/// @param <W> its own type
public abstract sealed class Control<T, W extends Control<T, W>> extends Described<W>
        permits Bounded, RangeSlider, Toggle, Choice, TextField, NumberField {
    private final String key;
    private final List<Listener<? super T>> listeners = new CopyOnWriteArrayList<>();

    /// Told of a new value.
    ///
    /// @param <T> type of the value
    @FunctionalInterface
    public interface Listener<T> {
        /// @param value the new value
        /// @throws Exception shown below the cell that showed the widget
        void changed(T value) throws Exception;
    }

    /// @param key where the value stands in the state
    Control(Model.Names names, String style, String key) {
        super(names, style);
        this.key = key;
        model().onInput(key, this::arrived);
    }

    /// @return the value as it stands in the state
    abstract Object encoded(T value);

    /// @throws IllegalArgumentException if that is no value of this widget
    abstract T decoded(Object raw);

    /// @throws IllegalArgumentException if this widget cannot have that value
    abstract void check(T value);

    /// @return where the value stands in the state
    final String key() {
        return key;
    }

    /// @return its value
    public final T value() {
        return decoded(model().value(key));
    }

    /// Sets its value, and tells listeners if it was another, on the calling thread.
    ///
    /// @param value the new value
    /// @throws IllegalArgumentException if this widget cannot have it
    public final void value(T value) {
        check(value);
        if (model().put(key, encoded(value))) {
            tell(value);
        }
    }

    /// Sets its value, as [#value(Object)] does, where a widget is made.
    ///
    /// @param value the first value
    /// @return this
    /// @throws IllegalArgumentException if this widget cannot have it
    public final W at(T value) {
        value(value);
        return self();
    }

    /// @param listener called after each change, wherever it came from: with a change of the front
    ///   end's as a cell is run, else on the thread that set the value
    /// @return this
    public final W onChange(Listener<? super T> listener) {
        listeners.add(listener);
        return self();
    }

    /// @param listener called no more
    final void forget(Listener<? super T> listener) {
        listeners.remove(listener);
    }

    /// Sets the first value.
    final void begin(T value) {
        model().put(key, encoded(value));
    }

    final void tell(T value) {
        Calls.all(
                listeners.stream()
                        .<Calls.Action>map(listener -> () -> listener.changed(value))
                        .toList());
    }

    private void arrived(@Nullable Object raw) {
        T value;
        try {
            if (raw == null) {
                throw new IllegalArgumentException("no value");
            }
            value = decoded(raw);
            check(value);
        } catch (IllegalArgumentException e) {
            // What cannot be had here is taken back there.
            model().repeat(key);
            return;
        }
        if (model().keep(key, encoded(value))) {
            tell(value);
        }
    }

    @Override
    String content() {
        return labelled() + "value=" + text(value());
    }

    /// @return a value as it reads in Java
    static String text(@Nullable Object value) {
        return value instanceof String string
                ? "\"" + string.replace("\n", "\\n").replace("\"", "\\\"") + "\""
                : String.valueOf(value);
    }
}
