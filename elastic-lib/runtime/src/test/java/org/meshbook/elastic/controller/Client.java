package org.meshbook.elastic.controller;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.wire.proto.NamedProto;

/// One client after the other of the same workers: names are kept between them, as by a head.
final class Client implements MembershipSource {
    private final LocalWorkers workers;
    private final Map<String, NamedProto> named;
    private final long first;
    private final boolean observing;

    private Client(
            LocalWorkers workers, Map<String, NamedProto> named, long first, boolean observing) {
        this.workers = workers;
        this.named = named;
        this.first = first;
        this.observing = observing;
    }

    static Client first(LocalWorkers workers) {
        return new Client(workers, new TreeMap<>(), 1L << 40, false);
    }

    Client next() {
        return new Client(workers, named, first + (1L << 40), false);
    }

    Client observer() {
        return new Client(workers, named, 0, true);
    }

    @Override
    public Membership now() {
        return workers.now();
    }

    @Override
    public Slices.Subscription watch(BiConsumer<Membership, Optional<SliceEvent>> listener) {
        return workers.watch(listener);
    }

    @Override
    public String token() {
        return observing ? LocalWorkers.OBSERVER_TOKEN : workers.token();
    }

    @Override
    public void letGo(Set<Integer> slices) {
        workers.letGo(slices);
    }

    @Override
    public boolean observes() {
        return observing;
    }

    @Override
    public long firstNumber() {
        return first;
    }

    @Override
    public NameSource names() {
        return new NameSource() {
            @Override
            public List<NamedProto> all() {
                return List.copyOf(named.values());
            }

            @Override
            public void publish(NamedProto fresh) {
                named.put(fresh.getName(), fresh);
            }

            @Override
            public void withdraw(String name) {
                named.remove(name);
            }
        };
    }
}
