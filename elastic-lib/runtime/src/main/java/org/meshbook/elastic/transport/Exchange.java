package org.meshbook.elastic.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.meshbook.elastic.UsageError;

/// The post office of one worker: takes messages from its devices to any device, and keeps what
/// came for its own devices until they ask.
///
/// Devices of one worker hand buffers over; other workers are reached by one TCP connection a
/// direction. Waiting ends at once when the sender is lost. Thread-safe.
public final class Exchange implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Exchange.class.getName());
    private static final int SOCKET_BUFFER = 4 << 20;
    private static final long JOIN_SECONDS = 2;

    private final Peer self;
    private final Handshake handshake;
    private final Handshake.Caller caller;
    private final ServerSocketChannel server;
    private final Thread acceptor;
    private final LossBoard losses = new LossBoard();
    private final Mailbox[] boxes;
    private final Map<Integer, Peer> ownerOf = new ConcurrentHashMap<>();
    private final Map<Peer, Outbound> outbound = new ConcurrentHashMap<>();
    private final Set<SocketChannel> inbound = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Integer> goneGeneration = new ConcurrentHashMap<>();
    private volatile long lastOp;
    private volatile boolean closed;

    private Exchange(Peer self, String token, ServerSocketChannel server) {
        this.self = self;
        this.handshake = new Handshake(token);
        this.caller = new Handshake.Caller(self.slice(), self.generation(), self.host());
        this.server = server;
        this.boxes = new Mailbox[self.devices()];
        for (int i = 0; i < boxes.length; i++) {
            boxes[i] = new Mailbox(losses);
        }
        this.acceptor =
                Thread.ofPlatform().daemon().name("bulk accept " + caller).unstarted(this::accept);
    }

    /// Opens the bulk port.
    ///
    /// @param self this worker; its port is chosen here
    /// @param token what peers must know
    /// @return the running exchange
    /// @throws UsageError if the address cannot be bound
    public static Exchange start(Peer self, String token) {
        try {
            var server = ServerSocketChannel.open();
            server.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
            server.bind(new InetSocketAddress(InetAddress.getByName(self.address()), 0));
            var exchange = new Exchange(self, token, server);
            exchange.acceptor.start();
            return exchange;
        } catch (IOException e) {
            throw new UsageError(
                    "cannot open a bulk port on '%s': %s; use an address of this machine",
                    self.address(), String.valueOf(e.getMessage()));
        }
    }

    /// @return the bulk port
    public int port() {
        return server.socket().getLocalPort();
    }

    /// @param device id of a device
    /// @return whether it is one of this worker's
    public boolean owns(int device) {
        return self.owns(device);
    }

    /// Takes over who owns which device.
    ///
    /// @param peers the live workers
    public void roster(List<Peer> peers) {
        for (var peer : peers) {
            for (int i = 0; i < peer.devices(); i++) {
                ownerOf.put(peer.firstDevice() + i, peer);
            }
        }
    }

    /// Notes that an operation was asked for: what is found lost from now on concerns it and all
    /// before.
    ///
    /// @param op its number
    public void sees(long op) {
        lastOp = op;
    }

    /// Sends a message; returns when it is handed over or in the socket's buffer. A receiver that
    /// is lost is skipped.
    ///
    /// @param key which message
    /// @param to ids of the devices that get it
    /// @param mail what they get; its buffers are never written to again
    /// @throws InterruptedException if the thread is interrupted
    public void post(Mail.Key key, List<Integer> to, Mail mail) throws InterruptedException {
        var remote = new LinkedHashMap<Peer, List<Integer>>();
        for (int device : to) {
            if (self.owns(device)) {
                boxes[device - self.firstDevice()].put(key, mail);
                continue;
            }
            var owner = ownerOf.get(device);
            if (owner != null && losses.fault(key.op(), owner.slice()) == null) {
                remote.computeIfAbsent(owner, _ -> new ArrayList<>()).add(device);
            }
        }
        for (var entry : remote.entrySet()) {
            send(entry.getKey(), key, entry.getValue(), mail);
        }
    }

    private void send(Peer peer, Mail.Key key, List<Integer> to, Mail mail)
            throws InterruptedException {
        var payload =
                switch (mail) {
                    case Mail.Bytes(var parts) -> parts;
                    case Mail.Failed(var fault) -> new ByteBuffer[] {Frame.encode(fault)};
                };
        long length = 0;
        for (var part : payload) {
            length += part.remaining();
        }
        var frame = new Frame(key, mail instanceof Mail.Failed, to, length);
        try {
            Gate.ofProcess().pass();
            link(peer).write(frame, payload);
        } catch (IOException e) {
            dropLink(peer);
            suspect(
                    peer.slice(),
                    peer.generation(),
                    "link to " + peer + " failed: " + e.getMessage());
        }
    }

    private Outbound link(Peer peer) throws IOException {
        var link = outbound.get(peer);
        if (link == null) {
            var fresh = new Outbound(peer, handshake, caller);
            var earlier = outbound.putIfAbsent(peer, fresh);
            link = earlier == null ? fresh : earlier;
        }
        return link;
    }

    private void dropLink(Peer peer) {
        var link = outbound.remove(peer);
        if (link != null) {
            link.close();
        }
    }

    /// Waits for a message to one of this worker's devices.
    ///
    /// @param device the device
    /// @param key which message
    /// @return its bytes
    /// @throws FaultException if it is not going to come
    /// @throws InterruptedException if the thread is interrupted
    public Mail.Bytes take(int device, Mail.Key key) throws FaultException, InterruptedException {
        var owner = ownerOf.get(key.from());
        if (owner == null && !self.owns(key.from())) {
            throw new FaultException(
                    Fault.failed("no worker is known to own device " + key.from()));
        }
        int slice = owner == null ? self.slice() : owner.slice();
        return boxes[device - self.firstDevice()].take(key, slice);
    }

    /// Forgets what a device did not take of an operation that it has finished.
    ///
    /// @param device the device
    /// @param op number of the operation
    public void finish(int device, long op) {
        boxes[device - self.firstDevice()].finish(op);
    }

    /// Ends every wait for a slice, and every write to it.
    ///
    /// @param slice index of the lost slice
    /// @param generation its generation
    /// @param beforeOp operations from this number on are not concerned
    /// @param cause one line
    public void lose(int slice, int generation, long beforeOp, String cause) {
        goneGeneration.merge(slice, generation, Math::max);
        losses.lose(slice, beforeOp, Fault.lost(slice, cause));
        for (var peer : outbound.keySet()) {
            if (peer.slice() == slice && peer.generation() <= generation) {
                dropLink(peer);
            }
        }
    }

    /// Ends every wait of operations before a number: their client is gone.
    ///
    /// @param beforeOp the number
    public void abandon(long beforeOp) {
        losses.abandon(beforeOp);
    }

    /// @param op number of an operation
    /// @param slice index of a slice
    /// @return why the slice sends nothing for that operation, if it is known lost
    public java.util.Optional<Fault> lost(long op, int slice) {
        return java.util.Optional.ofNullable(losses.fault(op, slice));
    }

    void deliver(Mail.Key key, List<Integer> targets, Mail mail) {
        for (int device : targets) {
            if (self.owns(device)) {
                boxes[device - self.firstDevice()].put(key, mail);
            }
        }
    }

    /// A broken link tells of a loss before the client does. After the client has told, the slice's
    /// later operations go to the next generation and are none of the old link's business.
    private void suspect(int slice, int generation, String cause) {
        if (!closed && generation > goneGeneration.getOrDefault(slice, 0)) {
            losses.lose(slice, lastOp + 1, Fault.lost(slice, cause));
        }
    }

    private void accept() {
        while (!closed) {
            try {
                var channel = server.accept();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                inbound.add(channel);
                Thread.ofPlatform().daemon().name("bulk read").start(() -> serve(channel));
            } catch (IOException e) {
                if (!closed) {
                    LOG.log(System.Logger.Level.WARNING, "bulk accept failed: " + e.getMessage());
                }
            }
        }
    }

    private void serve(SocketChannel channel) {
        Handshake.Caller from;
        try {
            from = handshake.accept(channel);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "bulk caller refused: " + e.getMessage());
            end(channel);
            return;
        }
        Thread.currentThread().setName("bulk read " + from);
        try {
            new Inbound(channel, this).readAll();
        } catch (IOException e) {
            suspect(
                    from.slice(),
                    from.generation(),
                    "link from " + from + " ended: " + e.getMessage());
        } finally {
            end(channel);
        }
    }

    private void end(SocketChannel channel) {
        inbound.remove(channel);
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, e);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            server.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, e);
        }
        List.copyOf(outbound.keySet()).forEach(this::dropLink);
        List.copyOf(inbound).forEach(this::end);
        try {
            acceptor.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
