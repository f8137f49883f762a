package org.meshbook.kernel.widgets;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.widgets.controls.Box;
import org.meshbook.kernel.widgets.controls.Button;
import org.meshbook.kernel.widgets.controls.Choice;
import org.meshbook.kernel.widgets.controls.Control;
import org.meshbook.kernel.widgets.controls.Interaction;
import org.meshbook.kernel.widgets.controls.Link;
import org.meshbook.kernel.widgets.controls.Meter;
import org.meshbook.kernel.widgets.controls.NumberField;
import org.meshbook.kernel.widgets.controls.Output;
import org.meshbook.kernel.widgets.controls.RangeSlider;
import org.meshbook.kernel.widgets.controls.Slider;
import org.meshbook.kernel.widgets.controls.TextField;
import org.meshbook.kernel.widgets.controls.Toggle;
import org.meshbook.kernel.widgets.controls.Widget;

/// Makes widgets. A widget appears where it is shown: as a cell's value, or by `display`.
///
/// ```java
/// var n = Widgets.slider(1, 10).label("n").onChange(System.out::println);
/// Widgets.interact((k, on) -> on ? "*".repeat(k) : "", n, Widgets.checkbox("stars", true));
/// ```
///
/// In JupyterLab the package `ipywidgets` must be installed beside it. Everything may be called on
/// any thread; an [IllegalArgumentException] says what a widget cannot have.
public final class Widgets {
    private Widgets() {}

    /// @param min the lowest value, and the first
    /// @param max the highest value
    /// @return a slider of whole numbers
    public static Slider<Integer> slider(int min, int max) {
        return Slider.of(min, max);
    }

    /// @param min the lowest value
    /// @param max the highest value
    /// @param value the first
    /// @return a slider of whole numbers
    public static Slider<Integer> slider(int min, int max, int value) {
        return Slider.of(min, max).at(value);
    }

    /// @param min the lowest value, and the first
    /// @param max the highest value
    /// @return a slider of numbers with a fraction
    public static Slider<Double> slider(double min, double max) {
        return Slider.of(min, max);
    }

    /// @param min the lowest value
    /// @param max the highest value
    /// @param value the first
    /// @return a slider of numbers with a fraction
    public static Slider<Double> slider(double min, double max, double value) {
        return Slider.of(min, max).at(value);
    }

    /// @param min the lowest value
    /// @param max the highest value
    /// @return a slider with two handles, over whole numbers
    public static RangeSlider<Integer> range(int min, int max) {
        return RangeSlider.of(min, max);
    }

    /// @param min the lowest value
    /// @param max the highest value
    /// @return a slider with two handles, over numbers with a fraction
    public static RangeSlider<Double> range(double min, double max) {
        return RangeSlider.of(min, max);
    }

    /// @param label words on it
    /// @return a button; give it an `onClick`
    public static Button button(String label) {
        return Button.of(label);
    }

    /// @param label words at its side
    /// @return a checkbox that is not ticked
    public static Toggle checkbox(String label) {
        return Toggle.checkbox(label, false);
    }

    /// @param label words at its side
    /// @param on whether it is ticked
    /// @return a checkbox
    public static Toggle checkbox(String label, boolean on) {
        return Toggle.checkbox(label, on);
    }

    /// @param label words on it
    /// @return a button that stays down when pressed
    public static Toggle toggle(String label) {
        return Toggle.button(label, false);
    }

    /// @param options at least one; the first is chosen
    /// @return a dropdown
    @SafeVarargs
    public static <T> Choice<T> dropdown(T... options) {
        return Choice.of(Choice.Look.DROPDOWN, List.of(options));
    }

    /// @param options at least one; the first is chosen
    /// @return a dropdown
    public static <T> Choice<T> dropdown(List<T> options) {
        return Choice.of(Choice.Look.DROPDOWN, options);
    }

    /// @param options what is shown, to what it means
    /// @return a dropdown
    public static <T> Choice<T> dropdown(Map<String, T> options) {
        return Choice.of(Choice.Look.DROPDOWN, options);
    }

    /// @param options at least one; the first is chosen
    /// @return a list
    @SafeVarargs
    public static <T> Choice<T> select(T... options) {
        return Choice.of(Choice.Look.LIST, List.of(options));
    }

    /// @param options at least one; the first is chosen
    /// @return radio buttons
    @SafeVarargs
    public static <T> Choice<T> radio(T... options) {
        return Choice.of(Choice.Look.RADIO, List.of(options));
    }

    /// @param options at least one; the first is chosen
    /// @return a row of buttons, of which one is down
    @SafeVarargs
    public static <T> Choice<T> toggles(T... options) {
        return Choice.of(Choice.Look.BUTTONS, List.of(options));
    }

    /// @param value the first text
    /// @return a field for one line
    public static TextField text(String value) {
        return TextField.of(TextField.Kind.LINE, value);
    }

    /// @param value the first text
    /// @return a field for several lines
    public static TextField textarea(String value) {
        return TextField.of(TextField.Kind.AREA, value);
    }

    /// @return a field for what nobody should read; it is not saved in the notebook's text
    public static TextField password() {
        return TextField.of(TextField.Kind.PASSWORD, "");
    }

    /// @param value the first number
    /// @return a field for a whole number
    public static NumberField<Integer> number(int value) {
        return NumberField.of(value);
    }

    /// @param value the first number
    /// @return a field for a number with a fraction
    public static NumberField<Double> number(double value) {
        return NumberField.of(value);
    }

    /// @param min where it is empty
    /// @param max where it is full
    /// @return a bar that Java fills
    public static Meter<Integer> meter(int min, int max) {
        return Meter.of(min, max);
    }

    /// @param min where it is empty
    /// @param max where it is full
    /// @return a bar that Java fills
    public static Meter<Double> meter(double min, double max) {
        return Meter.of(min, max);
    }

    /// @param text what it shows
    /// @return a line of text
    public static TextField label(String text) {
        return TextField.of(TextField.Kind.LABEL, text);
    }

    /// @param html what it shows
    /// @return a piece of HTML
    public static TextField html(String html) {
        return TextField.of(TextField.Kind.HTML, html);
    }

    /// @return an empty place for output
    public static Output output() {
        return Output.empty();
    }

    /// @param children from left to right
    /// @return a row
    public static Box hbox(Widget<?>... children) {
        return Box.row(List.of(children));
    }

    /// @param children from top to bottom
    /// @return a column
    public static Box vbox(Widget<?>... children) {
        return Box.column(List.of(children));
    }

    /// @param pages title to page, in order; the first is open
    /// @return pages behind tabs
    public static Box tabs(Map<String, ? extends Widget<?>> pages) {
        return Box.tabs(pages);
    }

    /// @param pages title to page, in order; the first is open
    /// @return pages that fold away
    public static Box accordion(Map<String, ? extends Widget<?>> pages) {
        return Box.accordion(pages);
    }

    /// Keeps two values equal, through Java.
    ///
    /// @param one a control
    /// @param other takes the first's value now; afterwards each follows the other
    /// @return what ends it, by `close()`
    public static <T> Link link(Control<T, ?> one, Control<T, ?> other) {
        return Link.both(one, other);
    }

    /// Keeps two values of different types in step, through Java.
    ///
    /// @param one a control
    /// @param other takes the first's value now; afterwards each follows the other
    /// @param there from a value of the first to one of the second
    /// @param back the other way
    /// @return what ends it, by `close()`
    public static <A, B> Link link(
            Control<A, ?> one,
            Control<B, ?> other,
            Function<? super A, ? extends B> there,
            Function<? super B, ? extends A> back) {
        return Link.both(one, other, there, back);
    }

    /// Lets one value follow another, through Java.
    ///
    /// @param source a control
    /// @param target follows it
    /// @param there from a value of the source to one of the target
    /// @return what ends it, by `close()`
    public static <A, B> Link follow(
            Control<A, ?> source, Control<B, ?> target, Function<? super A, ? extends B> there) {
        return Link.follow(source, target, there);
    }

    /// Keeps two values equal within the front end, also without a kernel.
    ///
    /// @param one a control
    /// @param other takes the first's value
    /// @return what ends it, by `close()`
    public static <T> Link jslink(Control<T, ?> one, Control<T, ?> other) {
        return Link.inFrontEnd(one, other);
    }

    /// Shows a control, and below it what the code returns for its value: now, and after each
    /// change. What the code prints appears there, too.
    ///
    /// @param code its value is shown, unless it is null
    /// @param a its value goes to the code
    public static <A> void interact(Of1<? super A> code, Control<A, ?> a) {
        new Interaction(List.of(a), () -> code.apply(a.value())).show();
    }

    /// The same for two controls.
    ///
    /// @param code its value is shown, unless it is null
    /// @param a its value goes to the code
    /// @param b its value, too
    public static <A, B> void interact(
            Of2<? super A, ? super B> code, Control<A, ?> a, Control<B, ?> b) {
        new Interaction(List.of(a, b), () -> code.apply(a.value(), b.value())).show();
    }

    /// The same for three controls.
    ///
    /// @param code its value is shown, unless it is null
    /// @param a its value goes to the code
    /// @param b its value, too
    /// @param c its value, too
    public static <A, B, C> void interact(
            Of3<? super A, ? super B, ? super C> code,
            Control<A, ?> a,
            Control<B, ?> b,
            Control<C, ?> c) {
        new Interaction(List.of(a, b, c), () -> code.apply(a.value(), b.value(), c.value())).show();
    }

    /// The same for four controls.
    ///
    /// @param code its value is shown, unless it is null
    /// @param a its value goes to the code
    /// @param b its value, too
    /// @param c its value, too
    /// @param d its value, too
    public static <A, B, C, D> void interact(
            Of4<? super A, ? super B, ? super C, ? super D> code,
            Control<A, ?> a,
            Control<B, ?> b,
            Control<C, ?> c,
            Control<D, ?> d) {
        new Interaction(
                        List.of(a, b, c, d),
                        () -> code.apply(a.value(), b.value(), c.value(), d.value()))
                .show();
    }

    /// Shows a control, and below it what the code prints and shows for its value: [#interact] for
    /// code that returns nothing.
    ///
    /// @param code called now, and after each change
    /// @param a its value goes to the code
    public static <A> void react(Run1<? super A> code, Control<A, ?> a) {
        interact(silent(code), a);
    }

    /// The same for two controls.
    ///
    /// @param code called now, and after each change
    /// @param a its value goes to the code
    /// @param b its value, too
    public static <A, B> void react(
            Run2<? super A, ? super B> code, Control<A, ?> a, Control<B, ?> b) {
        Widgets.<A, B>interact(
                (x, y) -> {
                    code.run(x, y);
                    return null;
                },
                a,
                b);
    }

    /// The same for three controls.
    ///
    /// @param code called now, and after each change
    /// @param a its value goes to the code
    /// @param b its value, too
    /// @param c its value, too
    public static <A, B, C> void react(
            Run3<? super A, ? super B, ? super C> code,
            Control<A, ?> a,
            Control<B, ?> b,
            Control<C, ?> c) {
        Widgets.<A, B, C>interact(
                (x, y, z) -> {
                    code.run(x, y, z);
                    return null;
                },
                a,
                b,
                c);
    }

    private static <A> Of1<A> silent(Run1<? super A> code) {
        return value -> {
            code.run(value);
            return null;
        };
    }

    /// Code over one value.
    public interface Of1<A> {
        @Nullable Object apply(A a) throws Exception;
    }

    /// Code over two values.
    public interface Of2<A, B> {
        @Nullable Object apply(A a, B b) throws Exception;
    }

    /// Code over three values.
    public interface Of3<A, B, C> {
        @Nullable Object apply(A a, B b, C c) throws Exception;
    }

    /// Code over four values.
    public interface Of4<A, B, C, D> {
        @Nullable Object apply(A a, B b, C c, D d) throws Exception;
    }

    /// Code over one value that returns nothing.
    public interface Run1<A> {
        void run(A a) throws Exception;
    }

    /// Code over two values that returns nothing.
    public interface Run2<A, B> {
        void run(A a, B b) throws Exception;
    }

    /// Code over three values that returns nothing.
    public interface Run3<A, B, C> {
        void run(A a, B b, C c) throws Exception;
    }
}
