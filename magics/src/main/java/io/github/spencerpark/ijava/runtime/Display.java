package io.github.spencerpark.ijava.runtime;

import org.dflib.jjava.jupyter.kernel.BaseNotebookStatics;

/// What IJava's cells have without an import.
public class Display extends BaseNotebookStatics {}
