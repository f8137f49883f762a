package org.meshbook.elastic.transport;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op.ReduceKind;
import org.meshbook.elastic.array.shard.Region;

/// Collective operations between devices; every member gets the same bits.
///
/// Little data: everyone sends to everyone, and sums in order of rank. Much data: each member owns
/// one chunk, reduces it in order of rank, and hands the result to the others, so that each sends
/// about twice its data, whatever the size of the group. Both give the same bits. Called on the
/// devices' own threads; blocks until the member's result is there.
public final class Collectives {
    /// From here on chunks are owned.
    static final long SMALL_BYTES = 64 << 10;

    static final int SCATTER = 0;
    private static final int GATHER = 1;

    private final Exchange exchange;

    /// @param exchange the worker's post office
    public Collectives(Exchange exchange) {
        this.exchange = exchange;
    }

    /// One member's view of one collective.
    ///
    /// @param op number of the operation that it belongs to
    /// @param step place within the operation
    /// @param devices ids of the members in order of rank
    /// @param rank this member's place among them
    public record Group(long op, int step, List<Integer> devices, int rank) {
        public Group {
            devices = List.copyOf(devices);
        }

        int self() {
            return devices.get(rank);
        }

        int size() {
            return devices.size();
        }

        List<Integer> others() {
            var others = new ArrayList<>(devices);
            others.remove(rank);
            return others;
        }

        Mail.Key key(int piece, int fromRank) {
            return new Mail.Key(op, step, piece, devices.get(fromRank));
        }
    }

    /// Combines arrays over the group; several at once cost one exchange.
    ///
    /// @param group the group
    /// @param kinds how, one an operand
    /// @param operands equal in number and type on every member
    /// @return one array an operand, equal on every member
    /// @throws FaultException if a member cannot take part
    /// @throws InterruptedException if the thread is interrupted
    public List<HostArray> allReduce(Group group, List<ReduceKind> kinds, List<HostArray> operands)
            throws FaultException, InterruptedException {
        if (group.size() == 1) {
            return operands;
        }
        long bytes = operands.stream().mapToLong(o -> o.type().bytes()).sum();
        return group.size() == 2 || bytes <= SMALL_BYTES
                ? tellingOthers(group, () -> reduceEverywhere(group, kinds, operands))
                : tellingOthers(group, () -> reduceOwned(group, kinds, operands));
    }

    private List<HostArray> reduceEverywhere(
            Group group, List<ReduceKind> kinds, List<HostArray> operands)
            throws FaultException, InterruptedException {
        // 1. everyone sends everything to everyone
        exchange.post(group.key(SCATTER, group.rank()), group.others(), whole(operands));
        var inputs = receiveAll(group, SCATTER, whole(operands));
        // 2. everyone reduces all of it
        var results = new ArrayList<HostArray>();
        var cursor = new Cursor(inputs);
        for (int i = 0; i < operands.size(); i++) {
            var type = operands.get(i).type();
            var result = HostArray.zeros(type);
            var parts = cursor.next(Math.toIntExact(type.bytes()));
            Reduction.reduce(kinds.get(i), type.dtype(), parts, result.bytes());
            results.add(result);
        }
        return results;
    }

    private List<HostArray> reduceOwned(
            Group group, List<ReduceKind> kinds, List<HostArray> operands)
            throws FaultException, InterruptedException {
        // 1. each member gets its chunk from everyone
        for (int offset = 1; offset < group.size(); offset++) {
            int owner = (group.rank() + offset) % group.size();
            exchange.post(
                    group.key(SCATTER, group.rank()),
                    List.of(group.devices().get(owner)),
                    chunk(operands, group, owner));
        }
        var cursor = new Cursor(receiveAll(group, SCATTER, chunk(operands, group, group.rank())));
        // 2. reduces it into its place
        var results = operands.stream().map(o -> HostArray.zeros(o.type())).toList();
        for (int i = 0; i < results.size(); i++) {
            var place = slice(results.get(i), group, group.rank());
            Reduction.reduce(
                    kinds.get(i),
                    results.get(i).type().dtype(),
                    cursor.next(place.remaining()),
                    place);
        }
        // 3. and everyone gets every chunk
        var mine = chunk(results, group, group.rank());
        exchange.post(group.key(GATHER, group.rank()), group.others(), mine);
        for (int rank = 0; rank < group.size(); rank++) {
            if (rank != group.rank()) {
                var chunk = exchange.take(group.self(), group.key(GATHER, rank));
                var parts = new Cursor(List.of(chunk));
                for (var result : results) {
                    var place = slice(result, group, rank);
                    place.put(parts.next(place.remaining()).getFirst());
                }
            }
        }
        return results;
    }

    /// Puts the members' arrays together along a dimension.
    ///
    /// @param group the group
    /// @param operand this member's array; equal in type on every member
    /// @param dim the dimension
    /// @param places for each rank, which piece of the result it is
    /// @return the whole
    /// @throws FaultException if a member cannot take part
    /// @throws InterruptedException if the thread is interrupted
    public HostArray allGather(Group group, HostArray operand, int dim, List<Integer> places)
            throws FaultException, InterruptedException {
        return tellingOthers(group, () -> gather(group, operand, dim, places));
    }

    private HostArray gather(Group group, HostArray operand, int dim, List<Integer> places)
            throws FaultException, InterruptedException {
        exchange.post(group.key(GATHER, group.rank()), group.others(), whole(List.of(operand)));
        var parts = receiveAll(group, GATHER, whole(List.of(operand)));
        var dims = new ArrayList<>(operand.type().shape().dims());
        dims.set(dim, dims.get(dim) * group.size());
        var type =
                new ArrayType(operand.type().dtype(), new org.meshbook.elastic.array.Shape(dims));
        var result = HostArray.zeros(type);
        for (int rank = 0; rank < group.size(); rank++) {
            var packed = new Cursor(List.of(parts.get(rank)));
            piece(type, dim, places.get(rank), group.size())
                    .paste(packed.next(Math.toIntExact(operand.type().bytes())).getFirst(), result);
        }
        return result;
    }

    /// Combines arrays and leaves each member its piece of a dimension.
    ///
    /// @param group the group
    /// @param kind how to combine
    /// @param operand this member's array; equal in type on every member
    /// @param dim the dimension
    /// @param places for each rank, which piece it gets
    /// @return this member's piece
    /// @throws FaultException if a member cannot take part
    /// @throws InterruptedException if the thread is interrupted
    public HostArray reduceScatter(
            Group group, ReduceKind kind, HostArray operand, int dim, List<Integer> places)
            throws FaultException, InterruptedException {
        return tellingOthers(group, () -> scatter(group, kind, operand, dim, places));
    }

    private HostArray scatter(
            Group group, ReduceKind kind, HostArray operand, int dim, List<Integer> places)
            throws FaultException, InterruptedException {
        for (int rank = 0; rank < group.size(); rank++) {
            if (rank != group.rank()) {
                var piece = piece(operand.type(), dim, places.get(rank), group.size());
                exchange.post(
                        group.key(SCATTER, group.rank()),
                        List.of(group.devices().get(rank)),
                        whole(List.of(piece.cut(operand))));
            }
        }
        var mine = piece(operand.type(), dim, places.get(group.rank()), group.size());
        var parts = receiveAll(group, SCATTER, whole(List.of(mine.cut(operand))));
        var result = HostArray.zeros(new ArrayType(operand.type().dtype(), mine.shape()));
        var cursor = new Cursor(parts);
        Reduction.reduce(
                kind,
                operand.type().dtype(),
                cursor.next(Math.toIntExact(result.type().bytes())),
                result.bytes());
        return result;
    }

    /// Cuts an array into one piece a member, and puts together what the members send.
    ///
    /// @param group the group
    /// @param operand this member's array; equal in type on every member
    /// @param splitDim the dimension that is cut
    /// @param concatDim the dimension along which the pieces are put together
    /// @return one piece of each member, in order of rank
    /// @throws FaultException if a member cannot take part
    /// @throws InterruptedException if the thread is interrupted
    public HostArray allToAll(Group group, HostArray operand, int splitDim, int concatDim)
            throws FaultException, InterruptedException {
        var pieces = new PieceExchange(exchange, group, operand);
        return tellingOthers(group, () -> pieces.allToAll(splitDim, concatDim));
    }

    /// Sends arrays on, each to one other member at most.
    ///
    /// @param group the group
    /// @param operand this member's array; equal in type on every member
    /// @param sources ranks that send
    /// @param targets for each of them the rank that gets it
    /// @return what this member gets; zeros if nothing
    /// @throws FaultException if a member cannot take part
    /// @throws InterruptedException if the thread is interrupted
    public HostArray permute(
            Group group, HostArray operand, List<Integer> sources, List<Integer> targets)
            throws FaultException, InterruptedException {
        var pieces = new PieceExchange(exchange, group, operand);
        return tellingOthers(group, () -> pieces.permute(sources, targets));
    }

    private interface Work<T> {
        T run() throws FaultException, InterruptedException;
    }

    private <T> T tellingOthers(Group group, Work<T> work)
            throws FaultException, InterruptedException {
        try {
            return work.run();
        } catch (FaultException e) {
            abandon(group, e.fault());
            throw e;
        } catch (RuntimeException | OutOfMemoryError e) {
            var fault = Fault.of(e, "a collective on device " + group.self());
            abandon(group, fault);
            throw new FaultException(fault);
        }
    }

    /// Tells the other members that this one does not take part, so that they do not wait for it.
    ///
    /// @param group the group
    /// @param fault why
    /// @throws InterruptedException if the thread is interrupted
    public void abandon(Group group, Fault fault) throws InterruptedException {
        for (int piece = SCATTER; piece <= GATHER; piece++) {
            exchange.post(group.key(piece, group.rank()), group.others(), new Mail.Failed(fault));
        }
    }

    /// @param type an array's type
    /// @param dim a dimension
    /// @param piece which piece of it
    /// @param pieces number of pieces, a divisor of the dimension
    /// @return the piece's place in the array
    public static Region piece(ArrayType type, int dim, int piece, int pieces) {
        var whole = Region.whole(type.shape());
        var start = new ArrayList<>(whole.start());
        var size = new ArrayList<>(whole.size());
        size.set(dim, size.get(dim) / pieces);
        start.set(dim, size.get(dim) * piece);
        return new Region(start, size);
    }

    private List<Mail.Bytes> receiveAll(Group group, int piece, Mail.Bytes own)
            throws FaultException, InterruptedException {
        var mails = new ArrayList<Mail.Bytes>();
        for (int rank = 0; rank < group.size(); rank++) {
            mails.add(
                    rank == group.rank()
                            ? own
                            : exchange.take(group.self(), group.key(piece, rank)));
        }
        return mails;
    }

    private static Mail.Bytes whole(List<HostArray> arrays) {
        return new Mail.Bytes(arrays.stream().map(HostArray::bytes).toArray(ByteBuffer[]::new));
    }

    private static Mail.Bytes chunk(List<HostArray> arrays, Group group, int rank) {
        return new Mail.Bytes(
                arrays.stream().map(a -> slice(a, group, rank)).toArray(ByteBuffer[]::new));
    }

    /// The part of an array's elements that a rank owns.
    private static ByteBuffer slice(HostArray array, Group group, int rank) {
        long elements = array.type().shape().size();
        int width = array.type().dtype().bytes();
        int from = Math.toIntExact(elements * rank / group.size() * width);
        int to = Math.toIntExact(elements * (rank + 1) / group.size() * width);
        return array.bytes().slice(from, to - from);
    }

    /// Reads messages side by side that hold the same sequence of arrays, each maybe in parts.
    private static final class Cursor {
        private final List<Mail.Bytes> mails;
        private int part;
        private int offset;

        Cursor(List<Mail.Bytes> mails) {
            this.mails = mails;
        }

        List<ByteBuffer> next(int bytes) throws FaultException {
            var views = new ArrayList<ByteBuffer>();
            for (var mail : mails) {
                var data = mail.data();
                // Local members hand over one part an array, sockets one part in all.
                if (data.length == 1) {
                    require(offset + bytes <= data[0].remaining());
                    views.add(data[0].slice(data[0].position() + offset, bytes));
                } else {
                    require(part < data.length && data[part].remaining() == bytes);
                    // Devices of one worker share the message; each reads with a view of its own.
                    views.add(data[part].duplicate());
                }
            }
            offset += bytes;
            part++;
            return views;
        }

        private static void require(boolean fits) throws FaultException {
            if (!fits) {
                throw new FaultException(
                        Fault.failed("members of a collective disagree about its size"));
            }
        }
    }
}
