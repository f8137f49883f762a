package org.meshbook.elastic.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.Interrupted;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.data.source.Source;
import org.meshbook.elastic.data.source.UnreadableRow;

@Timeout(60)
class FeedTest {
    private static final int ROWS = 50;

    private final Data<Array> data = Data.of((Array) Array.iota(DType.I32, ROWS)).shuffle(3);

    /// Rows whose reading is watched, and fails where told.
    private static final class Watched implements Source<Array> {
        final Set<Long> read = new ConcurrentSkipListSet<>();
        final Set<Long> broken = new ConcurrentSkipListSet<>();
        final AtomicInteger reads = new AtomicInteger();

        @Override
        public long count() {
            return ROWS;
        }

        @Override
        public String fingerprint() {
            return ROWS + " watched rows";
        }

        @Override
        public Array rows(long[] indices) {
            reads.incrementAndGet();
            var ids = new int[indices.length];
            for (int i = 0; i < ids.length; i++) {
                if (broken.contains(indices[i])) {
                    throw new UnreadableRow(
                            indices[i],
                            "row " + indices[i] + " is broken",
                            new IOException("torn"));
                }
                read.add(indices[i]);
                ids[i] = (int) indices[i];
            }
            return Array.of(ids);
        }
    }

    @Test
    void handsOutWhatThePositionSays() {
        var batches = data.batch(8);
        long position = 0;
        try (var feed = batches.from(batches.start())) {
            for (int step = 0; step < 30; step++) {
                assertThat(Rows.ids(feed.next())).isEqualTo(Rows.ids(batches.at(position)));
                position = batches.next(position);
                assertThat(feed.position().next()).isEqualTo(position);
            }
        }
    }

    @Test
    void stateIsOneIntegerThatMovesByTheGlobalBatchOnEveryShard() {
        var batches = data.batch(12);
        for (int shard = 0; shard < 4; shard++) {
            try (var feed = batches.shard(shard, 4).from(batches.start())) {
                for (int step = 1; step <= 4; step++) {
                    feed.next();
                    assertThat(feed.position()).isEqualTo(batches.position(12L * step));
                }
            }
        }
    }

    @Test
    void shardReadsEveryCountthRowFromItsIndex() {
        var plain = Data.of((Array) Array.iota(DType.I32, ROWS)).batch(12);
        assertThat(Rows.ids(plain.shard(1, 4).at(12))).containsExactly(13, 17, 21);
        assertThatThrownBy(() -> plain.shard(0, 5))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("a batch of 12 rows does not divide over 5 shards")
                .hasMessageContaining("10 or 15");
    }

    @Test
    void shardsTogetherAreTheBatch() {
        var batches = data.batch(12);
        var together = new TreeSet<Long>();
        for (int shard = 0; shard < 3; shard++) {
            for (long id : Rows.ids(batches.shard(shard, 3).at(24))) {
                together.add(id);
            }
        }
        var whole = new TreeSet<Long>();
        for (long id : Rows.ids(batches.at(24))) {
            whole.add(id);
        }
        assertThat(together).isEqualTo(whole).hasSize(12);
    }

    @Test
    void positionOfAnyShardCountAndBatchSizeIsAccepted() {
        // four readers, then three, then four again, with batches of 12, 9 and 8
        var audit = data.batch(12).audit();
        var position = data.batch(12).start();
        for (var phase : List.of(new int[] {12, 4}, new int[] {9, 3}, new int[] {8, 4})) {
            var after = position;
            var accounts = audit;
            for (int shard = 0; shard < phase[1]; shard++) {
                try (var feed = data.batch(phase[0]).shard(shard, phase[1]).from(position)) {
                    for (int step = 0; step < 20; step++) {
                        feed.next();
                        accounts = accounts.plus(feed.taken());
                    }
                    after = feed.position();
                }
            }
            position = after;
            audit = accounts;
        }
        assertThat(audit.exactlyOnce()).as(audit.certificate()).isTrue();
        assertThat(audit.dropped()).isPositive();
    }

    @Test
    void fourThreeFourLosesAndRepeatsNothing() {
        var seen = new ArrayList<Long>();
        var position = data.batch(12).start();
        for (int count : new int[] {4, 3, 4}) {
            var after = position;
            for (int shard = 0; shard < count; shard++) {
                try (var feed = data.batch(12).shard(shard, count).from(position)) {
                    for (long id : Rows.ids(feed.next())) {
                        seen.add(id);
                    }
                    after = feed.position();
                }
            }
            position = after;
        }
        assertThat(seen).hasSize(36).doesNotHaveDuplicates();
    }

    @Test
    void resumesThreeTimesInARow() {
        var batches = data.batch(10);
        var straight = new ArrayList<List<Long>>();
        try (var feed = batches.from(batches.start())) {
            for (int step = 0; step < 12; step++) {
                straight.add(list(feed.next()));
            }
        }
        var resumed = new ArrayList<List<Long>>();
        var saved = batches.start();
        for (int run = 0; run < 4; run++) {
            try (var feed = batches.from(saved)) {
                for (int step = 0; step < 3; step++) {
                    resumed.add(list(feed.next()));
                }
                saved = feed.position();
            }
        }
        assertThat(resumed).isEqualTo(straight);
    }

    @Test
    void nothingIsReadBeforeThePositionIsSetAndASeekDropsWhatWasReadAhead() {
        var watched = new Watched();
        var batches = Data.from(watched).batch(5).epochs(1);
        assertThat(watched.reads).hasValue(0);
        try (var feed = batches.from(new Position(20, batches.start().source()))) {
            assertThat(Rows.ids(feed.next())).containsExactly(20, 21, 22, 23, 24);
            feed.seek(new Position(40, batches.start().source()));
            assertThat(Rows.ids(feed.next())).containsExactly(40, 41, 42, 43, 44);
            assertThat(feed.position().next()).isEqualTo(45);
        }
        assertThat(watched.read).doesNotContain(0L, 1L, 19L);
    }

    @Test
    void readsAheadNoFurtherThanTold() {
        var watched = new Watched();
        try (var feed = Data.from(watched).batch(5).ahead(3).from(at(watched, 0))) {
            Awaitility.await().until(() -> watched.reads.get() == 3);
            feed.next();
            Awaitility.await().until(() -> watched.reads.get() == 4);
        }
        assertThat(watched.reads).hasValue(4);
    }

    @Test
    void otherDataAreAnErrorThatNamesBoth() {
        var saved = data.batch(10).start();
        var others = Data.of((Array) Array.iota(DType.I32, 60)).batch(10);
        assertThatThrownBy(() -> others.from(saved))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("50 rows of i32 #")
                .hasMessageContaining("60 rows of i32 #");
        assertThatThrownBy(() -> data.shuffle(4).batch(10).from(saved))
                .hasMessageContaining("shuffled 3")
                .hasMessageContaining("shuffled 4");
        var changed = Array.iota(DType.I32, ROWS).add(Array.iota(DType.I32, ROWS));
        assertThatThrownBy(() -> Data.of((Array) changed.toHost()).shuffle(3).batch(10).from(saved))
                .isInstanceOf(UsageError.class);
    }

    @Test
    void positionAndAccountAreTreesOfPlainValues() {
        var batches = data.batch(10);
        record Unit(Position data, Audit audit) {}
        var unit = new Unit(batches.start(), batches.audit());
        var flat = Tree.flatten(unit);
        assertThat(flat.leaves()).isEmpty();
        Unit again = flat.structure().rebuild(List.of());
        assertThat(again).isEqualTo(unit);
    }

    @Test
    void unreadableRowIsNamedAndThePositionStays() {
        var watched = new Watched();
        watched.broken.add(12L);
        try (var feed = Data.from(watched).batch(5).from(at(watched, 5))) {
            feed.next();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(feed::next)
                        .isInstanceOf(UnreadableRow.class)
                        .hasMessage("row 12 is broken");
                assertThat(feed.position().next()).isEqualTo(10);
            }
            watched.broken.clear();
            assertThat(Rows.ids(feed.next())).containsExactly(10, 11, 12, 13, 14);
        }
    }

    @Test
    void failedRowsAreCountedAndMoveThePositionLikeOthers() {
        var watched = new Watched();
        watched.broken.addAll(List.of(1L, 3L, 22L));
        var batches = Data.from(watched).batch(5).tolerate(3).epochs(1);
        var audit = batches.audit();
        try (var feed = batches.from(at(watched, 0))) {
            assertThat(Rows.ids(feed.next())).containsExactly(0, 0, 2, 0, 4);
            assertThat(feed.taken().failed()).containsExactly(1L, 3L);
            audit = audit.plus(feed.taken());
            while (feed.hasNext()) {
                feed.next();
                audit = audit.plus(feed.taken());
            }
            assertThat(feed.position().next()).isEqualTo(ROWS);
            assertThat(feed.failed()).isEqualTo(3);
        }
        assertThat(audit.failed()).isEqualTo("1,3,22");
        assertThat(audit.exactlyOnce()).isTrue();
        assertThat(audit.certificate()).contains("failed            3");
        try (var feed = batches.tolerate(2).from(at(watched, 0))) {
            assertThatThrownBy(() -> feed.forEachRemaining(batch -> {}))
                    .isInstanceOf(UnreadableRow.class);
        }
    }

    @Test
    void endsAfterTheEpochsAskedFor() {
        var batches = data.batch(20).epochs(2);
        int count = 0;
        try (var feed = batches.from(batches.start())) {
            while (feed.hasNext()) {
                feed.next();
                count++;
            }
            assertThat(count).isEqualTo(4);
            assertThatThrownBy(feed::next).isInstanceOf(NoSuchElementException.class);
        }
    }

    @Test
    void hundredResizesLeaveNoThreadBehind() {
        var clock = new CountedClock();
        var batches = data.batch(12).on(clock);
        var position = batches.start();
        for (int resize = 0; resize < 100; resize++) {
            try (var feed = batches.shard(0, 2 + resize % 3).from(position)) {
                feed.next();
                feed.seek(feed.position());
                position = feed.position();
                assertThat(clock.running()).isLessThanOrEqualTo(1);
            }
            assertThat(clock.running()).isZero();
        }
        assertThat(clock.started()).isEqualTo(200);
    }

    @Test
    void stopWhileWaitingForABatchIsAStop() {
        var watched = new Watched();
        var batches = Data.from(watched).map(FeedTest::held).batch(5);
        try (var feed = batches.from(batches.start())) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(feed::next).isInstanceOf(Interrupted.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void closedReaderSaysSo() {
        var batches = data.batch(5);
        var feed = batches.from(batches.start());
        feed.close();
        feed.close();
        assertThatThrownBy(feed::next)
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("closed");
    }

    @Test
    void anyWalkOfResizesAndRollbacksUsesEachRowOnce() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            record Saved(Position position, Audit audit) {}
            var saved = new Saved(data.batch(1).start(), data.batch(1).audit());
            for (int attempt = 0; attempt < 8; attempt++) {
                var batches = data.batch(1 + random.nextInt(20)).ahead(random.nextInt(3));
                var now = saved;
                try (var feed = batches.from(now.position())) {
                    for (int step = random.nextInt(12); step >= 0; step--) {
                        feed.next();
                        now = new Saved(feed.position(), now.audit().plus(feed.taken()));
                        saved = random.nextInt(3) == 0 ? now : saved;
                    }
                }
            }
            var audit = saved.audit();
            assertThat(audit.exactlyOnce()).as("seed %d: %s", seed, audit).isTrue();
        }
    }

    /// Waits until the reader is closed.
    private static Array held(Array batch) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return batch;
    }

    private static Position at(Source<?> source, long next) {
        return new Position(next, Data.from(source).fingerprint());
    }

    private static List<Long> list(Array batch) {
        var list = new ArrayList<Long>();
        for (long id : Rows.ids(batch)) {
            list.add(id);
        }
        return list;
    }
}
