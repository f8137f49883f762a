package org.meshbook.kernel.widgets.controls;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Display;
import org.meshbook.kernel.widgets.model.Calls;

/// Controls, and below them what code shows for their values: run now, and again after each change.
/// Without a front end that knows widgets, it is run once, with the values that they have.
public final class Interaction {
    private final List<Control<?, ?>> controls;
    private final Callable<? extends @Nullable Object> code;

    /// @param controls their changes run the code
    /// @param code reads their values; what it returns is shown, unless it is null
    public Interaction(List<Control<?, ?>> controls, Callable<? extends @Nullable Object> code) {
        this.controls = List.copyOf(controls);
        this.code = code;
    }

    /// Shows it below the cell.
    public void show() {
        var scope = CurrentScope.find();
        if (scope == null || scope.comms().isEmpty()) {
            Calls.run(this::once);
        } else {
            var unused = Display.display(live());
        }
    }

    private void once() throws Exception {
        Display.display(String.join("\n", controls.stream().map(Control::toString).toList()));
        var value = code.call();
        if (value != null) {
            Display.display(value);
        }
    }

    private Box live() {
        var output = Output.empty();
        controls.forEach(control -> control.onChange(_ -> output.replace(code::call)));
        var all = new ArrayList<Widget<?>>(controls);
        all.add(output);
        output.replace(code::call);
        return Box.column(all);
    }
}
