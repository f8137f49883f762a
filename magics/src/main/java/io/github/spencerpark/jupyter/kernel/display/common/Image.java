package io.github.spencerpark.jupyter.kernel.display.common;

/// Rendering by IJava's name.
public class Image extends org.dflib.jjava.jupyter.kernel.display.common.Image {}
