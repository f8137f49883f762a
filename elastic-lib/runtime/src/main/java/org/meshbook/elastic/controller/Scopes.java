package org.meshbook.elastic.controller;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.slices.Owners;
import org.meshbook.elastic.slices.Slices;

/// The scopes that are open, the innermost last. Thread-safe.
///
/// A scope knows the states of its arrays, not the arrays: what a program drops is freed before the
/// scope ends.
final class Scopes {
    private final List<Scope> open = new CopyOnWriteArrayList<>();
    private final Runnable afterFree;

    /// @param afterFree run after a scope has freed its arrays
    Scopes(Runnable afterFree) {
        this.afterFree = afterFree;
    }

    Slices.Scope open(String name) {
        var scope = new Scope(name);
        open.add(scope);
        return scope;
    }

    void born(ArrayState state) {
        // A scope that closes meanwhile leaves the array to the next one out.
        for (int i = open.size() - 1; i >= 0; i--) {
            try {
                if (open.get(i).add(state)) {
                    return;
                }
            } catch (IndexOutOfBoundsException e) {
                continue;
            }
        }
    }

    /// @return who makes an array now, as "cell 5, attempt 2"
    String owner() {
        var cell = Owners.now();
        @Nullable Scope innermost = null;
        for (var scope : open) {
            innermost = scope;
        }
        return innermost == null
                ? cell
                : cell.isEmpty() ? innermost.name : cell + ", " + innermost.name;
    }

    void freed(ArrayState state) {
        open.forEach(scope -> scope.states.remove(state));
    }

    private final class Scope implements Slices.Scope {
        private final String name;
        private final Set<ArrayState> states = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean over = new AtomicBoolean();

        Scope(String name) {
            this.name = name;
        }

        private boolean add(ArrayState state) {
            if (over.get()) {
                return false;
            }
            states.add(state);
            return true;
        }

        @Override
        public void keep(Array array) {
            UsageError.require(
                    array instanceof PlacedArray,
                    "%s lies on no device, so no scope can free it; keep placed arrays",
                    array.type());
            states.remove(((PlacedArray) array).state());
        }

        @Override
        public boolean holds(Array array) {
            return array instanceof PlacedArray placed && states.contains(placed.state());
        }

        @Override
        public void leave() {
            if (over.compareAndSet(false, true)) {
                open.remove(this);
                states.clear();
            }
        }

        @Override
        public void close() {
            if (over.compareAndSet(false, true)) {
                open.remove(this);
                states.forEach(state -> state.free("with " + name));
                states.clear();
                afterFree.run();
            }
        }
    }
}
