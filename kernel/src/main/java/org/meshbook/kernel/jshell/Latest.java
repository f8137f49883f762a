package org.meshbook.kernel.jshell;

import java.util.LinkedHashMap;
import java.util.Map;

/// A map that keeps the entries last put or read. Not thread-safe.
final class Latest<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;

    private final int most;

    /// @param most how many entries
    Latest(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > most;
    }
}
