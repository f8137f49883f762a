package org.meshbook.kernel.widgets;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Items that move a bar when they are taken. An item counts when the next one is asked for: until
/// then it is being worked on.
final class Counted {
    private Counted() {}

    /// An iterator over them.
    static final class Items<T> implements Iterator<T> {
        private final Iterator<? extends T> source;
        private final Progress bar;
        private long taken;
        private boolean ended;

        Items(Iterator<? extends T> source, Progress bar) {
            this.source = source;
            this.bar = bar;
        }

        @Override
        public boolean hasNext() {
            try {
                var more = source.hasNext();
                if (!more && !ended) {
                    ended = true;
                    bar.at(taken);
                    bar.done();
                }
                return more;
            } catch (RuntimeException | Error e) {
                bar.fail();
                throw e;
            }
        }

        @Override
        public T next() {
            var item = source.next();
            if (taken > 0) {
                bar.at(taken);
            }
            taken++;
            return item;
        }
    }

    /// A stream of them, or a part of one.
    static final class Parts<T> implements Spliterator<T> {
        private final Spliterator<T> source;
        private final Progress bar;
        private final AtomicInteger open;
        private boolean ended;

        Parts(Spliterator<T> source, Progress bar) {
            this(source, bar, new AtomicInteger(1));
        }

        private Parts(Spliterator<T> source, Progress bar, AtomicInteger open) {
            this.source = source;
            this.bar = bar;
            this.open = open;
        }

        @Override
        public boolean tryAdvance(Consumer<? super T> action) {
            var more =
                    source.tryAdvance(
                            item -> {
                                action.accept(item);
                                bar.step();
                            });
            if (!more) {
                end();
            }
            return more;
        }

        @Override
        public void forEachRemaining(Consumer<? super T> action) {
            source.forEachRemaining(
                    item -> {
                        action.accept(item);
                        bar.step();
                    });
            end();
        }

        private void end() {
            if (!ended) {
                ended = true;
                if (open.decrementAndGet() == 0) {
                    bar.done();
                }
            }
        }

        @Override
        public @Nullable Spliterator<T> trySplit() {
            var part = source.trySplit();
            if (part == null) {
                return null;
            }
            open.incrementAndGet();
            return new Parts<>(part, bar, open);
        }

        @Override
        public long estimateSize() {
            return source.estimateSize();
        }

        @Override
        public int characteristics() {
            return source.characteristics();
        }

        @Override
        public @Nullable Comparator<? super T> getComparator() {
            return source.getComparator();
        }
    }
}
