package org.dflib.jjava.jupyter.messages.publish;

import java.util.List;

/// Words an exception.
public interface ErrorFormatter {
    List<String> format(Exception thrown);
}
