package org.meshbook.elastic.transport;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.array.shard.Region;

/// One member's part in a collective that computes nothing: pieces change places.
///
/// @param exchange the worker's post office
/// @param group the group
/// @param operand this member's array
record PieceExchange(Exchange exchange, Collectives.Group group, HostArray operand) {
    HostArray allToAll(int splitDim, int concatDim) throws FaultException, InterruptedException {
        // 1. each member gets its piece
        int size = group.size();
        for (int offset = 1; offset < size; offset++) {
            int rank = (group.rank() + offset) % size;
            send(rank, Collectives.piece(operand.type(), splitDim, rank, size).cut(operand));
        }
        // 2. and puts together what it gets
        var mine = Collectives.piece(operand.type(), splitDim, group.rank(), size);
        var dims = new ArrayList<>(mine.size());
        dims.set(concatDim, dims.get(concatDim) * size);
        var result = HostArray.zeros(new ArrayType(operand.type().dtype(), new Shape(dims)));
        for (int rank = 0; rank < size; rank++) {
            var place = Collectives.piece(result.type(), concatDim, rank, size);
            if (rank == group.rank()) {
                place.paste(mine.cut(operand).bytes(), result);
            } else {
                receive(rank, place, result);
            }
        }
        return result;
    }

    HostArray permute(List<Integer> sources, List<Integer> targets)
            throws FaultException, InterruptedException {
        // 1. send
        int out = sources.indexOf(group.rank());
        if (out >= 0 && targets.get(out) != group.rank()) {
            send(targets.get(out), operand);
        }
        // 2. receive
        int in = targets.indexOf(group.rank());
        if (in >= 0 && sources.get(in) == group.rank()) {
            return operand;
        }
        var result = HostArray.zeros(operand.type());
        if (in >= 0) {
            receive(sources.get(in), Region.whole(result.type().shape()), result);
        }
        return result;
    }

    private void send(int rank, HostArray piece) throws InterruptedException {
        exchange.post(
                group.key(Collectives.SCATTER, group.rank()),
                List.of(group.devices().get(rank)),
                new Mail.Bytes(piece.bytes()));
    }

    private void receive(int rank, Region place, HostArray into)
            throws FaultException, InterruptedException {
        var bytes =
                exchange.take(group.self(), group.key(Collectives.SCATTER, rank))
                        .data()[0]
                        .duplicate();
        int wanted =
                place.shape().dims().stream().reduce(1, Math::multiplyExact)
                        * into.type().dtype().bytes();
        if (bytes.remaining() != wanted) {
            throw new FaultException(
                    Fault.failed("members of a collective disagree about its size"));
        }
        place.paste(bytes, into);
    }
}
