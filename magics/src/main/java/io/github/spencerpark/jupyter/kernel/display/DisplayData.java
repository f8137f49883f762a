package io.github.spencerpark.jupyter.kernel.display;

/// Something to look at, by IJava's name.
public class DisplayData extends org.dflib.jjava.jupyter.kernel.display.DisplayData {
    public DisplayData() {}

    public DisplayData(String text) {
        super(text);
    }

    public DisplayData(org.dflib.jjava.jupyter.kernel.display.DisplayData other) {
        super(other);
    }
}
