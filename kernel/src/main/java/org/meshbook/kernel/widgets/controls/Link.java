package org.meshbook.kernel.widgets.controls;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.widgets.controls.Control.Listener;
import org.meshbook.kernel.widgets.model.Model;

/// Keeps the value of one control equal to another's, through Java. The second takes the first's
/// value at once.
public final class Link implements AutoCloseable {
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final Runnable end;

    private Link(Runnable end) {
        this.end = end;
    }

    /// @param one a control
    /// @param other takes the first's value now; afterwards each follows the other
    /// @return what ends it
    public static <T> Link both(Control<T, ?> one, Control<T, ?> other) {
        return both(one, other, Function.identity(), Function.identity());
    }

    /// @param one a control
    /// @param other another
    /// @param there from a value of the first to one of the second
    /// @param back the other way
    /// @return what ends it
    public static <A, B> Link both(
            Control<A, ?> one,
            Control<B, ?> other,
            Function<? super A, ? extends B> there,
            Function<? super B, ? extends A> back) {
        var turning = new AtomicBoolean();
        var forth = follow(one, other, there, turning);
        var reverse = listener(one, back, turning);
        other.onChange(reverse);
        return new Link(
                () -> {
                    forth.close();
                    other.forget(reverse);
                });
    }

    /// @param source a control
    /// @param target follows it from now on
    /// @param there from a value of the source to one of the target
    /// @return what ends it
    public static <A, B> Link follow(
            Control<A, ?> source, Control<B, ?> target, Function<? super A, ? extends B> there) {
        return follow(source, target, there, new AtomicBoolean());
    }

    private static <A, B> Link follow(
            Control<A, ?> source,
            Control<B, ?> target,
            Function<? super A, ? extends B> there,
            AtomicBoolean turning) {
        var listener = listener(target, there, turning);
        source.onChange(listener);
        target.value(there.apply(source.value()));
        return new Link(() -> source.forget(listener));
    }

    /// @param one a control
    /// @param other takes the first's value, in the front end
    /// @return what ends it
    public static <T> Link inFrontEnd(Control<T, ?> one, Control<T, ?> other) {
        var model = new Model(Model.Names.link());
        model.put(
                Map.of(
                        "source", List.of(one, one.key()),
                        "target", List.of(other, other.key())));
        var scope = CurrentScope.find();
        if (scope != null) {
            scope.comms().ifPresent(comms -> model.open(comms));
        }
        return new Link(model::close);
    }

    /// A value that comes back changed, as rounded, must not go round for ever.
    private static <A, B> Listener<A> listener(
            Control<B, ?> target, Function<? super A, ? extends B> there, AtomicBoolean turning) {
        return value -> {
            if (turning.compareAndSet(false, true)) {
                try {
                    target.value(there.apply(value));
                } finally {
                    turning.set(false);
                }
            }
        };
    }

    /// Ends it; both keep their values.
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            end.run();
        }
    }
}
