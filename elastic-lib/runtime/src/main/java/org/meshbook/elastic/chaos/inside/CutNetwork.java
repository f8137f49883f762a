package org.meshbook.elastic.chaos.inside;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;
import org.meshbook.elastic.transport.Gate;
import sun.misc.Signal;

/// Cuts its worker off from client, head and peers for a time; its sockets stay open.
///
/// Nobody can reach the worker then but by a signal: SIGCONT mends the network early.
public final class CutNetwork implements HostFunction {
    /// @param time how long
    /// @return the arguments of a call
    public static byte[] arguments(Duration time) {
        return ByteBuffer.allocate(Long.BYTES).putLong(time.toMillis()).array();
    }

    @Override
    public byte[] call(Host host, byte[] arguments) {
        Signal.handle(new Signal("CONT"), _ -> Gate.ofProcess().open());
        Gate.ofProcess().shut(Duration.ofMillis(ByteBuffer.wrap(arguments).getLong()));
        return new byte[0];
    }
}
