package org.meshbook.elastic.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;

/// One connection on which this worker sends to another; opened at the first message.
///
/// Writers block; closing it from any thread ends their write.
final class Outbound {
    private static final int SOCKET_BUFFER = 4 << 20;

    private final Peer peer;
    private final Handshake handshake;
    private final Handshake.Caller self;
    private final SocketChannel channel;
    private final ReentrantLock lock = new ReentrantLock();

    Outbound(Peer peer, Handshake handshake, Handshake.Caller self) throws IOException {
        this.peer = peer;
        this.handshake = handshake;
        this.self = self;
        this.channel = SocketChannel.open();
    }

    Peer peer() {
        return peer;
    }

    void write(Frame frame, ByteBuffer[] payload) throws IOException, InterruptedException {
        var buffers = new ByteBuffer[payload.length + 1];
        buffers[0] = frame.encode();
        for (int i = 0; i < payload.length; i++) {
            buffers[i + 1] = payload[i].duplicate();
        }
        long left = buffers[0].remaining() + frame.length();
        lock.lockInterruptibly();
        try {
            if (!channel.isConnected()) {
                connect();
            }
            while (left > 0) {
                left -= channel.write(buffers);
            }
        } finally {
            lock.unlock();
        }
    }

    private void connect() throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
        channel.connect(new InetSocketAddress(peer.address(), peer.bulkPort()));
        handshake.connect(channel, self);
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing can be done about a socket that does not close; the peer sees its end anyway.
            System.getLogger(Outbound.class.getName()).log(System.Logger.Level.DEBUG, e);
        }
    }
}
