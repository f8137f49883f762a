package org.meshbook.kernel.wire;

import static java.lang.System.Logger.Level.WARNING;

import zmq.Msg;
import zmq.msg.MsgAllocator;
import zmq.msg.MsgAllocatorThreshold;

/// Memory for frames that arrive. Thread-safe.
///
/// JeroMQ asks for as many bytes as a frame says it has, before anything of it is known and before
/// any signature: nine bytes of noise can say two milliards, or less than none. An Error here would
/// end JeroMQ's thread and with it the kernel; such a frame becomes an empty one, and what follows
/// it on its connection is noise that fits no message.
final class FrameMemory implements MsgAllocator {
    /// No frame is larger.
    static final int LARGEST_BYTES =
            (int) Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 4);

    private static final System.Logger LOG = System.getLogger(FrameMemory.class.getName());

    private final MsgAllocator memory = new MsgAllocatorThreshold();

    @Override
    public Msg allocate(int size) {
        if (size < 0 || size > LARGEST_BYTES) {
            return new Msg(0);
        }
        try {
            return memory.allocate(size);
        } catch (OutOfMemoryError e) {
            LOG.log(WARNING, "a frame of {0} bytes was dropped: {1}", size, e.getMessage());
            return new Msg(0);
        }
    }
}
