package org.meshbook.elastic.sim;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.slices.Slices;

/// The virtual arrays made while it was open.
final class SimScope implements Slices.Scope {
    final String name;
    private final List<SimScope> open;
    private final Set<SimArray> arrays = Collections.newSetFromMap(new IdentityHashMap<>());

    SimScope(String name, List<SimScope> open) {
        this.name = name;
        this.open = open;
    }

    void add(SimArray array) {
        arrays.add(array);
    }

    @Override
    public void keep(Array array) {
        if (array instanceof SimArray mine) {
            arrays.remove(mine);
        }
    }

    @Override
    public boolean holds(Array array) {
        return array instanceof SimArray mine && arrays.contains(mine);
    }

    @Override
    public void leave() {
        arrays.clear();
        open.remove(this);
    }

    @Override
    public void close() {
        arrays.forEach(array -> array.freedBy = name);
        leave();
    }
}
