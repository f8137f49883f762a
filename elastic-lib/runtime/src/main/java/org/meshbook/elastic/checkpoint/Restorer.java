package org.meshbook.elastic.checkpoint;

import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.checkpoint.load.Load;
import org.meshbook.elastic.checkpoint.load.Survivors;
import org.meshbook.elastic.checkpoint.unit.Intake;
import org.meshbook.elastic.checkpoint.unit.Pattern;
import org.meshbook.elastic.manager.Manager;
import org.meshbook.elastic.mesh.Mesh;

/// Brings snapshots back, in the classes that the program wants them in.
///
/// A cell that is run again has new classes: its records have the same fields and are others. Which
/// classes it wants shows what its `init` makes; that is looked at once for each piece of code, and
/// not on the way of a recovery.
final class Restorer {
    private final Manager manager;
    private final Copier copier;
    private final SnapshotOptions options;
    private volatile @Nullable Learned learned;

    private record Learned(WeakReference<Class<?>> code, Pattern pattern) {}

    Restorer(Manager manager, Copier copier, SnapshotOptions options) {
        this.manager = manager;
        this.copier = copier;
        this.options = options;
    }

    Intake intake(Object state) {
        return Intake.of(state, manager.slices(), options.replicaAxis(), options.autoReplicate());
    }

    <T> T begin(Mesh mesh, Function<Mesh, T> init) {
        T state = init.apply(mesh);
        learn(init, pattern(state));
        return state;
    }

    Pattern pattern(Object like) {
        return Pattern.of(like, manager.slices());
    }

    /// What `init` makes; a state that is made only to be looked at is freed at once.
    Pattern pattern(Mesh mesh, Function<Mesh, ?> init) {
        var known = learned;
        if (known != null && known.code().refersTo(init.getClass())) {
            return known.pattern();
        }
        var pattern = Pattern.ofMade(() -> init.apply(mesh), manager.slices());
        learn(init, pattern);
        return pattern;
    }

    private void learn(Function<Mesh, ?> init, Pattern pattern) {
        learned = new Learned(new WeakReference<>(init.getClass()), pattern);
    }

    /// @throws SnapshotLost if no slice holds a whole copy
    <T> T restore(Held from, Mesh mesh, Pattern pattern, boolean reset) {
        var unit = from.unit.as(pattern);
        var targets = unit.targets(from.copy.shardings(), Optional.of(pattern), mesh);
        var load = new Load(manager, from.copy, from.step, options.replicaAxis());
        try {
            var loaded =
                    load.onto(targets)
                            .orElseThrow(
                                    () ->
                                            new SnapshotLost(
                                                    "no slice holds a whole copy of step %d any more"
                                                                    .formatted(from.step)
                                                            + "; it lay on slices "
                                                            + Survivors.holders(
                                                                    from.copy.shardings())));
            T state = unit.rebuild(loaded);
            if (reset) {
                copier.reset(from, intake(state));
            }
            return state;
        } catch (InterruptedException e) {
            throw new Interrupted("restoring step " + from.step, e);
        }
    }
}
