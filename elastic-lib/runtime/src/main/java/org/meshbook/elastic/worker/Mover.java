package org.meshbook.elastic.worker;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.store.HostCopies;
import org.meshbook.elastic.store.Shard;
import org.meshbook.elastic.transport.Exchange;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;
import org.meshbook.elastic.transport.Mail;
import org.meshbook.elastic.wire.ArrayCodec;
import org.meshbook.elastic.wire.proto.Box;
import org.meshbook.elastic.wire.proto.Move;
import org.meshbook.elastic.wire.proto.Piece;
import org.meshbook.elastic.wire.proto.Receive;
import org.meshbook.elastic.wire.proto.Send;

/// This worker's part in moving one array: pieces of what its devices or host copies hold go out,
/// and new shards are made of what comes in. A device sends before it waits. What lies in a host
/// copy of this worker is no mail: the devices that need it take it from there, so that a restore
/// holds nothing twice.
final class Mover {
    private final Move move;
    private final Exchange exchange;
    private final HostCopies copies;

    /// Pieces that this worker's devices take from its own host copies, by number.
    private final Map<Integer, HostPiece> here = new HashMap<>();

    /// A piece that is cut by the first device that needs it, and shared by the others.
    private final class HostPiece {
        private final Send send;
        private @Nullable HostArray piece;

        HostPiece(Send send) {
            this.send = send;
        }

        synchronized HostArray piece() throws FaultException {
            if (piece == null) {
                piece = cut(send, null);
            }
            return piece;
        }
    }

    Mover(Move move, Exchange exchange, HostCopies copies) {
        this.move = move;
        this.exchange = exchange;
        this.copies = copies;
        for (var send : move.getSendsList()) {
            if (fromHost(send) && send.getToList().stream().anyMatch(exchange::owns)) {
                here.put(send.getPiece(), new HostPiece(send));
            }
        }
    }

    /// @return ids of the devices that take part; host copies are sent apart
    TreeSet<Integer> devices() {
        var devices = new TreeSet<Integer>();
        move.getSendsList().stream()
                .filter(send -> !fromHost(send))
                .forEach(send -> devices.add(send.getSource().getDevice()));
        move.getReceivesList().forEach(receive -> devices.add(receive.getDevice()));
        return devices;
    }

    boolean readsHostCopies() {
        return move.getSendsList().stream()
                .anyMatch(send -> fromHost(send) && !elsewhere(send).isEmpty());
    }

    void sendHostCopies() throws InterruptedException {
        for (var send : move.getSendsList()) {
            if (fromHost(send) && !elsewhere(send).isEmpty()) {
                send(send, null, elsewhere(send));
            }
        }
    }

    /// @return why the device's new shard is poisoned, if it is
    Optional<Fault> onDevice(LocalDevice device) throws InterruptedException {
        for (var send : move.getSendsList()) {
            if (!fromHost(send) && send.getSource().getDevice() == device.id()) {
                send(send, device, send.getToList());
            }
        }
        for (var receive : move.getReceivesList()) {
            if (receive.getDevice() == device.id()) {
                return receive(receive, device);
            }
        }
        return Optional.empty();
    }

    private void send(Send send, @Nullable LocalDevice device, List<Integer> to)
            throws InterruptedException {
        var key = new Mail.Key(move.getOp(), 0, send.getPiece(), send.getSource().getDevice());
        Mail mail;
        try {
            mail = new Mail.Bytes(cut(send, device).bytes());
        } catch (FaultException e) {
            mail = new Mail.Failed(e.fault());
        } catch (RuntimeException | OutOfMemoryError e) {
            mail = new Mail.Failed(Fault.of(e, "cutting a piece of array " + move.getTarget()));
        }
        exchange.post(key, to, mail);
    }

    private HostArray cut(Send send, @Nullable LocalDevice device) throws FaultException {
        var source = send.getSource();
        var box = region(send.getBox());
        if (device == null) {
            // A whole shard leaves host memory for good. A part of one is a copy, since the rest is
            // used again after a release.
            var held = copies.value(source.getHostCopy(), source.getHostShard());
            return box.covers(held.type().shape())
                    ? copies.share(source.getHostCopy(), source.getHostShard())
                    : box.cut(held);
        }
        var shard = device.store().get(source.getArray()).value();
        return box.covers(shard.type().shape()) ? shard : box.cut(shard);
    }

    private Optional<Fault> receive(Receive receive, LocalDevice device)
            throws InterruptedException {
        var type =
                new ArrayType(ArrayCodec.dtype(move.getDtype()), new Shape(receive.getDimsList()));
        Shard shard;
        try {
            shard =
                    receive.getAlias() != 0
                            ? device.store().get(receive.getAlias())
                            : new Shard.Value(assemble(type, receive.getPiecesList(), device.id()));
            shard.value();
        } catch (FaultException e) {
            shard = new Shard.Poisoned(e.fault());
        } catch (OutOfMemoryError e) {
            var what = "device %d: no room for %s (%d bytes)";
            shard =
                    new Shard.Poisoned(
                            Fault.of(e, what.formatted(device.id(), type, type.bytes())));
        }
        device.store().put(move.getTarget(), shard);
        return shard instanceof Shard.Poisoned(var fault) ? Optional.of(fault) : Optional.empty();
    }

    private HostArray assemble(ArrayType type, List<Piece> pieces, int device)
            throws FaultException, InterruptedException {
        // 1. everything must be here before memory is taken for the whole
        var parts = new ArrayList<ByteBuffer>();
        for (var piece : pieces) {
            var mine = here.get(piece.getPiece());
            var key = new Mail.Key(move.getOp(), 0, piece.getPiece(), piece.getFrom());
            parts.add(mine != null ? mine.piece().bytes() : exchange.take(device, key).data()[0]);
        }
        // 2. one piece that is all of it is used as it is; engines read only direct memory
        if (parts.size() == 1 && region(pieces.getFirst().getBox()).covers(type.shape())) {
            if (parts.getFirst().isDirect()) {
                return HostArray.wrap(type, parts.getFirst());
            }
        }
        var whole = HostArray.zeros(type);
        for (int i = 0; i < parts.size(); i++) {
            region(pieces.get(i).getBox()).paste(parts.get(i), whole);
        }
        return whole;
    }

    private List<Integer> elsewhere(Send send) {
        return send.getToList().stream().filter(device -> !exchange.owns(device)).toList();
    }

    private static boolean fromHost(Send send) {
        return send.getSource().getHostCopy() != 0;
    }

    private static Region region(Box box) {
        return new Region(box.getStartList(), box.getSizeList());
    }
}
