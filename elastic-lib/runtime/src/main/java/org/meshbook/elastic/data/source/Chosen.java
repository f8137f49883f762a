package org.meshbook.elastic.data.source;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

/// Some rows of a source, chosen once.
final class Chosen<T> implements Source<T> {
    private final Source<T> from;
    private final long[] kept;
    private final String fingerprint;

    private Chosen(Source<T> from, long[] kept) {
        this.from = from;
        this.kept = kept;
        var sum = new CRC32C();
        var one = ByteBuffer.allocate(Long.BYTES);
        for (long index : kept) {
            sum.update(one.putLong(0, index).array());
        }
        this.fingerprint =
                "%d kept (#%08x) of %s".formatted(kept.length, sum.getValue(), from.fingerprint());
    }

    static <T> Chosen<T> of(Source<T> from, LongPredicate wanted) {
        return new Chosen<>(from, LongStream.range(0, from.count()).filter(wanted).toArray());
    }

    @Override
    public long count() {
        return kept.length;
    }

    @Override
    public String fingerprint() {
        return fingerprint;
    }

    @Override
    public T rows(long[] indices) {
        try {
            return from.rows(Arrays.stream(indices).map(i -> kept[Math.toIntExact(i)]).toArray());
        } catch (UnreadableRow e) {
            // Its index is that of the rows below; rows here count the kept ones.
            throw new UnreadableRow(
                    Arrays.binarySearch(kept, e.index()), String.valueOf(e.getMessage()), e);
        }
    }
}
