package org.meshbook.magics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.meshbook.elastic.slices.Owners;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Renderer;
import org.meshbook.magics.daily.Daily;
import org.meshbook.magics.debug.ChaosMagic;
import org.meshbook.magics.events.EventsMagic;
import org.meshbook.magics.events.RecoveryMagics;
import org.meshbook.magics.jobs.ClusterMagics;
import org.meshbook.magics.jobs.door.ClusterDoor;
import org.meshbook.magics.jobs.queues.ClusterEvents;
import org.meshbook.magics.lint.LintMagic;
import org.meshbook.magics.queue.QueueViews;
import org.meshbook.magics.render.Renderers;
import org.meshbook.magics.slices.AttachMagic;
import org.meshbook.magics.slices.DetachMagic;
import org.meshbook.magics.slices.EngineMagic;
import org.meshbook.magics.slices.Lease;
import org.meshbook.magics.slices.SessionMagic;
import org.meshbook.magics.slices.SlicesMagic;

/// What Meshbook adds to the kernel: magics, renderers and the imports of every cell.
public final class MeshbookExtension implements Extension {
    private final Lease lease = new Lease();

    /// Tells the elastic library whose an array is.
    public MeshbookExtension() {
        Owners.set(MeshbookExtension::cell);
    }

    private static String cell() {
        return CurrentScope.inherited() instanceof Cell cell ? "cell " + cell.number() : "";
    }

    @Override
    public List<Magic> magics() {
        var magics = new ArrayList<Magic>();
        magics.add(new SlicesMagic(lease));
        var door = new ClusterDoor(lease);
        magics.add(new EventsMagic(lease, new ClusterEvents(door)));
        magics.addAll(RecoveryMagics.of(lease));
        magics.add(new SessionMagic(lease));
        magics.add(new EngineMagic(lease));
        magics.add(new AttachMagic(lease));
        magics.add(new DetachMagic(lease));
        magics.add(ChaosMagic.line());
        magics.addAll(ClusterMagics.of(door));
        magics.addAll(QueueViews.of(door));
        magics.add(LintMagic.magic());
        magics.addAll(Daily.magics(Imports.ofEveryCell()));
        return magics;
    }

    @Override
    public List<Renderer> renderers() {
        return Renderers.all();
    }

    @Override
    public List<String> startup() {
        return Imports.snippets();
    }

    @Override
    public Map<String, Object> usage() {
        return lease.usage();
    }

    /// Says what an earlier kernel left, once; nothing is taken over without being asked for.
    @Override
    public void first(Cell cell) {
        lease.offers().forEach(cell.out()::println);
    }

    @Override
    public void close(boolean restart) {
        lease.close(restart);
    }
}
