package org.meshbook.cluster.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.Cluster;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKey;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.WatchEvent;
import org.meshbook.cluster.store.Records.Change;
import org.meshbook.cluster.store.Records.Gone;
import org.meshbook.cluster.store.Records.Put;
import org.meshbook.cluster.store.Records.Start;
import tools.jackson.databind.node.ObjectNode;

/// All objects, by kind and name, and their one counter of versions.
///
/// Objects are never changed, so a list is a copy of references and stays what it was. Threads:
/// any.
public final class Store implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ResourceKind, Table> tables = new HashMap<>();
    private final Map<String, ResourceKey> byUid = new HashMap<>();
    private final Map<String, Set<ResourceKey>> owned = new HashMap<>();
    private final @Nullable Journal journal;
    private final ScopedValue<Boolean> following = ScopedValue.newInstance();
    private long version;

    /// While a file is read: its start, and how many objects of it are still to come.
    private long start;

    private int base;

    /// The objects of one kind, those who watch them, and the latest changes.
    private record Table(
            NavigableMap<ResourceKey, Resource> objects, Set<Feed> feeds, History history) {
        Table(long version) {
            this(new TreeMap<>(), new LinkedHashSet<>(), new History(version));
        }
    }

    private Store(Optional<Path> folder) {
        journal =
                folder.map(f -> Journal.open(f, this::restore, this::everything, this::deliver))
                        .orElse(null);
        // Of what was before, only the outcome is known.
        tables.values().forEach(table -> table.history().forgetUpTo(version));
    }

    /// @return an empty store that forgets all when it ends
    public static Store inMemory() {
        return new Store(Optional.empty());
    }

    /// @param folder where objects are kept; made if it is not there
    /// @return a store with the objects that are there
    /// @throws java.io.UncheckedIOException if another process has it, or it cannot be read
    public static Store in(Path folder) {
        return new Store(Optional.of(folder));
    }

    private void restore(Change change) {
        switch (change) {
            case Start(var from, var count) -> {
                start = from;
                base = count;
                version = from;
            }
            case Put(var object) -> {
                if (base-- > 0 || object.resourceVersion() > start) {
                    unlink(objects(object.key().kind()).put(object.key(), object));
                    link(object.key(), object);
                    version = Math.max(version, object.resourceVersion());
                }
            }
            case Gone(var object) -> {
                if (object.resourceVersion() > start) {
                    unlink(objects(object.key().kind()).remove(object.key()));
                    version = Math.max(version, object.resourceVersion());
                }
            }
        }
    }

    private List<Change> everything() {
        lock.lock();
        try {
            var all = new ArrayList<Change>();
            for (var table : tables.values()) {
                table.objects().values().forEach(object -> all.add(new Put(object)));
            }
            all.addFirst(new Start(version, all.size()));
            return all;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        if (journal != null) {
            journal.close();
        }
    }

    /// @param key which object
    /// @return it, if there is one
    public Optional<Resource> find(ResourceKey key) {
        lock.lock();
        try {
            return Optional.ofNullable(objects(key.kind()).get(key));
        } finally {
            lock.unlock();
        }
    }

    /// @param kind kind
    /// @param namespace namespace; `""` means all
    /// @return its objects by namespace and name
    public List<Resource> list(ResourceKind kind, String namespace) {
        lock.lock();
        try {
            var table = objects(kind);
            if (namespace.isEmpty()) {
                return List.copyOf(table.values());
            }
            // The first possible name of the next namespace ends the range.
            var from = new ResourceKey(kind, namespace, "");
            var to = new ResourceKey(kind, namespace + "\0", "");
            return List.copyOf(table.subMap(from, to).values());
        } finally {
            lock.unlock();
        }
    }

    /// @return the number of the last change
    public long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    /// @param uid an object's uid
    /// @return the object that has it
    public Optional<Resource> withUid(String uid) {
        lock.lock();
        try {
            return Optional.ofNullable(byUid.get(uid)).map(key -> objects(key.kind()).get(key));
        } finally {
            lock.unlock();
        }
    }

    /// @param uid an owner's uid
    /// @param kind kind
    /// @return the objects of that kind that name it as an owner
    public List<Resource> ownedBy(String uid, ResourceKind kind) {
        return ownedBy(uid).stream().filter(o -> o.key().kind().equals(kind)).toList();
    }

    /// @param uid an owner's uid
    /// @return the objects that name it as an owner
    public List<Resource> ownedBy(String uid) {
        lock.lock();
        try {
            var found = new ArrayList<Resource>();
            for (var key : owned.getOrDefault(uid, Set.of())) {
                found.add(objects(key.kind()).get(key));
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /// Stores an object if nobody was faster.
    ///
    /// @param object the whole object; what it shares with others is left as it is
    /// @param before what it replaces, as read; null if it is new
    /// @return it, with its new version
    /// @throws ApiException if what is there is not what was read
    public Resource put(Resource object, @Nullable Resource before) {
        var key = object.key();
        Resource stored;
        long number;
        lock.lock();
        try {
            var present = objects(key.kind()).get(key);
            expect(key, present, before);
            requireRoom();
            stored = stamped(object, ++version);
            objects(key.kind()).put(key, stored);
            unlink(present);
            link(key, stored);
            number = record(new Put(stored));
            publish(
                    number,
                    present == null ? WatchEvent.Type.ADDED : WatchEvent.Type.MODIFIED,
                    stored);
        } finally {
            lock.unlock();
        }
        count(number, key.kind());
        return stored;
    }

    /// Removes an object if nobody changed it meanwhile.
    ///
    /// @param before it, as read
    /// @throws ApiException if what is there is not what was read
    public void remove(Resource before) {
        var key = before.key();
        long number;
        lock.lock();
        try {
            var present = objects(key.kind()).get(key);
            expect(key, present, before);
            requireRoom();
            objects(key.kind()).remove(key);
            unlink(present);
            var last = stamped(before, ++version);
            number = record(new Gone(last));
            publish(number, WatchEvent.Type.DELETED, last);
        } finally {
            lock.unlock();
        }
        count(number, key.kind());
    }

    private void requireRoom() {
        if (journal != null) {
            journal.requireRoom();
        }
    }

    private long record(Change change) {
        return journal == null ? 0 : journal.append(change);
    }

    /// Tells those who go ahead, waits until a change counts, and tells the others; of a write that
    /// goes ahead itself, the file's thread tells them.
    private void count(long number, ResourceKind kind) {
        deliver(kind);
        if (journal != null && !following.isBound()) {
            journal.await(number);
            deliver(kind);
        }
    }

    /// Does work whose writes return before they are in the file, so that many go there together,
    /// and whose watches hear of changes as soon as they are made.
    ///
    /// Their order stays, also against writes of others; nobody else is told of them before they
    /// count. A process that ends loses the last of them, as if the work had not come so far: it is
    /// for controllers, which begin from what is there.
    ///
    /// @param work writes and watches
    public void ahead(Runnable work) {
        ScopedValue.where(following, true).run(work);
    }

    private LongSupplier counting() {
        return following.isBound() ? () -> Long.MAX_VALUE : this::written;
    }

    private long written() {
        return journal == null ? Long.MAX_VALUE : journal.written();
    }

    /// Tells of what is there, and then of each change.
    ///
    /// @param kind kind
    /// @param listener who hears
    /// @return closes the watch
    public Cluster.Watch watch(ResourceKind kind, Consumer<WatchEvent> listener) {
        var feed = new Feed(listener, this::leave, counting());
        lock.lock();
        try {
            for (var object : objects(kind).values()) {
                feed.offer(0, new WatchEvent(WatchEvent.Type.ADDED, object));
            }
            table(kind).feeds().add(feed);
        } finally {
            lock.unlock();
        }
        feed.deliver();
        return feed;
    }

    /// Tells of each change after a version.
    ///
    /// @param kind kind
    /// @param since version of the last change that was heard
    /// @param listener who hears
    /// @return closes the watch
    /// @throws ApiException if changes since then are forgotten
    public Cluster.Watch watch(ResourceKind kind, long since, Consumer<WatchEvent> listener) {
        var feed = new Feed(listener, this::leave, counting());
        lock.lock();
        try {
            table(kind).history().after(since).forEach(event -> feed.offer(0, event));
            table(kind).feeds().add(feed);
        } finally {
            lock.unlock();
        }
        feed.deliver();
        return feed;
    }

    private void leave(Feed feed) {
        lock.lock();
        try {
            tables.values().forEach(table -> table.feeds().remove(feed));
        } finally {
            lock.unlock();
        }
    }

    /// Tells everybody what counts by now.
    private void deliver() {
        List<Feed> listening;
        lock.lock();
        try {
            listening = tables.values().stream().flatMap(t -> t.feeds().stream()).toList();
        } finally {
            lock.unlock();
        }
        listening.forEach(Feed::deliver);
    }

    private void deliver(ResourceKind kind) {
        List<Feed> listening;
        lock.lock();
        try {
            listening = List.copyOf(table(kind).feeds());
        } finally {
            lock.unlock();
        }
        listening.forEach(Feed::deliver);
    }

    private void publish(long number, WatchEvent.Type type, Resource object) {
        var event = new WatchEvent(type, object);
        var table = table(object.key().kind());
        table.history().add(event);
        table.feeds().forEach(feed -> feed.offer(number, event));
    }

    private static void expect(
            ResourceKey key, @Nullable Resource present, @Nullable Resource before) {
        if (present == before) {
            return;
        }
        if (before == null) {
            throw ApiException.alreadyExists(key.kind(), key.name());
        }
        if (present == null) {
            throw ApiException.notFound(key.kind(), key.name());
        }
        throw ApiException.conflict(key.kind(), key.name());
    }

    private void link(ResourceKey key, Resource object) {
        byUid.put(object.uid(), key);
        for (var owner : object.owners()) {
            owned.computeIfAbsent(owner, _ -> new LinkedHashSet<>()).add(key);
        }
    }

    private void unlink(@Nullable Resource object) {
        if (object == null) {
            return;
        }
        byUid.remove(object.uid());
        for (var owner : object.owners()) {
            owned.computeIfPresent(
                    owner, (_, keys) -> keys.remove(object.key()) && keys.isEmpty() ? null : keys);
        }
    }

    private NavigableMap<ResourceKey, Resource> objects(ResourceKind kind) {
        return table(kind).objects();
    }

    private Table table(ResourceKind kind) {
        return tables.computeIfAbsent(Kinds.kept(kind), _ -> new Table(version));
    }

    /// Copies the object and its metadata only; the rest is shared, and never changed.
    private static Resource stamped(Resource object, long version) {
        var json = shallow(object.json());
        var metadata = shallow((ObjectNode) object.json().get("metadata"));
        metadata.put("resourceVersion", Long.toString(version));
        json.set("metadata", metadata);
        return new Resource(json);
    }

    /// @param node an object
    /// @return a copy that shares what the fields hold
    public static ObjectNode shallow(ObjectNode node) {
        var copy = node.objectNode();
        node.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        return copy;
    }
}
