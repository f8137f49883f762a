package org.dflib.jjava.runtime;

import org.dflib.jjava.jupyter.kernel.BaseNotebookStatics;

/// What JJava 0.x notebooks import for displays.
public class Display extends BaseNotebookStatics {}
