package io.github.spencerpark.jupyter.kernel.display;

/// Renders values, by IJava's name.
public class Renderer extends org.dflib.jjava.jupyter.kernel.display.Renderer {}
