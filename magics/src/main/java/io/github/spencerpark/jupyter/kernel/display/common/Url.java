package io.github.spencerpark.jupyter.kernel.display.common;

/// Rendering by IJava's name.
public class Url extends org.dflib.jjava.jupyter.kernel.display.common.Url {}
