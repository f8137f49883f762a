package org.meshbook.elastic.chaos.inside;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.meshbook.elastic.checkpoint.tier.store.BadDisk;
import org.meshbook.elastic.checkpoint.tier.store.BadDisk.Kind;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// Makes what its host writes of checkpoints into folders go wrong; tells one byte of progress when
/// it is about to, and answers once it has: which file it was, or nothing if none was written in
/// time.
public final class SpoilDisk implements HostFunction {
    /// @param kind what goes wrong
    /// @param time how long at most
    /// @return the arguments of a call
    public static byte[] arguments(Kind kind, Duration time) {
        return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(kind.ordinal())
                .putLong(time.toMillis())
                .array();
    }

    @Override
    public byte[] call(Host host, byte[] arguments) throws InterruptedException {
        var given = ByteBuffer.wrap(arguments);
        var kind = Kind.values()[given.getInt()];
        var disk = BadDisk.ofProcess();
        disk.begin(kind, Duration.ofMillis(given.getLong()));
        host.progress().accept(1);
        return disk.awaitStruck().map(SpoilDisk::words).orElse("").getBytes(UTF_8);
    }

    /// As "120.writing-4f2a/shards-2-0.bin".
    private static String words(Path file) {
        int names = file.getNameCount();
        return file.subpath(Math.max(0, names - 2), names).toString();
    }
}
