package org.dflib.jjava.jupyter.kernel;

import java.util.List;
import org.dflib.jjava.jupyter.kernel.display.DisplayData;
import org.dflib.jjava.jupyter.kernel.display.Renderer;
import org.dflib.jjava.jupyter.kernel.magic.MagicsRegistry;
import org.jspecify.annotations.Nullable;
import org.meshbook.magics.compat.Bridge;

/// The kernel, as notebooks see it: it stands for the engine of the running cell. Thread-safe.
public abstract class BaseKernel {
    public static final String IS_COMPLETE_YES = "complete";
    public static final String IS_COMPLETE_BAD = "invalid";
    public static final String IS_COMPLETE_MAYBE = "unknown";

    private final Renderer renderer;
    private final MagicsRegistry magics = new MagicsRegistry();

    /// @param renderer its rules
    protected BaseKernel(Renderer renderer) {
        this.renderer = renderer;
    }

    /// @return the kernel of the running cell
    public static BaseKernel notebookKernel() {
        return Bridge.kernel();
    }

    public String getName() {
        return "Meshbook";
    }

    public String getVersion() {
        var version = Bridge.class.getPackage().getImplementationVersion();
        return version == null ? "" : version;
    }

    public String getBanner() {
        return "Java %s :: Meshbook %s".formatted(Runtime.version(), getVersion()).strip();
    }

    public Renderer getRenderer() {
        return renderer;
    }

    public MagicsRegistry getMagicsRegistry() {
        return magics;
    }

    /// Shows something below the running cell.
    ///
    /// @param data what to show
    public void display(DisplayData data) {
        Bridge.cell().display(Bridge.ours(data));
    }

    /// @param code the text of a cell, magics included
    /// @return the value of its last part
    public @Nullable Object evalRaw(String code) {
        return Bridge.run(code);
    }

    /// @param code the text of a cell, magics included
    /// @return what the value of its last part looks like, or null
    public @Nullable DisplayData eval(String code) {
        var value = evalRaw(code);
        return value == null ? null : renderer.render(value);
    }

    /// @param thrown anything
    /// @return it in words
    public List<String> formatError(Throwable thrown) {
        return List.of(thrown.toString());
    }
}
