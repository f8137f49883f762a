package org.meshbook.elastic.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.Encoding;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op.ReduceKind;

@Timeout(60)
class CollectivesTest {
    private static final String TOKEN = "token";
    private final List<Exchange> exchanges = new ArrayList<>();
    private final java.util.concurrent.ExecutorService pool = Executors.newCachedThreadPool();

    /// Workers of two devices each.
    private void start(int workers) {
        var peers = new ArrayList<Peer>();
        for (int i = 0; i < workers; i++) {
            var exchange = Exchange.start(new Peer(i, 1, 0, 2 * i, 2, "127.0.0.1", 0), TOKEN);
            exchanges.add(exchange);
            peers.add(new Peer(i, 1, 0, 2 * i, 2, "127.0.0.1", exchange.port()));
        }
        exchanges.forEach(exchange -> exchange.roster(peers));
    }

    @AfterEach
    void end() {
        exchanges.forEach(Exchange::close);
        pool.shutdownNow();
    }

    private interface Member<T> {
        T run(Collectives collectives, Collectives.Group group) throws Exception;
    }

    private <T> List<Future<T>> begin(long op, List<Integer> devices, Member<T> member) {
        var results = new ArrayList<Future<T>>();
        for (int rank = 0; rank < devices.size(); rank++) {
            int at = rank;
            Callable<T> work =
                    () ->
                            member.run(
                                    new Collectives(exchanges.get(devices.get(at) / 2)),
                                    new Collectives.Group(op, 0, devices, at));
            results.add(pool.submit(work));
        }
        return results;
    }

    private static <T> List<T> all(List<Future<T>> results) throws Exception {
        var values = new ArrayList<T>();
        for (var result : results) {
            values.add(result.get(20, TimeUnit.SECONDS));
        }
        return values;
    }

    private static HostArray random(Random random, DType dtype, int... dims) {
        var array = HostArray.zeros(ArrayType.of(dtype, dims));
        var bytes = array.bytes();
        for (int i = 0; i < array.type().shape().size(); i++) {
            if (dtype.isFloat()) {
                Encoding.real(bytes, dtype, i, random.nextGaussian());
            } else {
                Encoding.integer(bytes, dtype, i, random.nextLong());
            }
        }
        return array;
    }

    @Test
    void allReduceGivesEveryMemberTheSameBitsInOrderOfRank() throws Exception {
        start(4);
        var random = new Random(3);
        for (int round = 0; round < 60; round++) {
            // 1. any group, any number of operands, small and large
            var devices =
                    new ArrayList<>(IntStream.range(0, 8).boxed().toList())
                            .subList(0, 1 + random.nextInt(8));
            java.util.Collections.shuffle(devices, random);
            int count = 1 + random.nextInt(3);
            var kinds = new ArrayList<ReduceKind>();
            var inputs = new ArrayList<List<HostArray>>();
            devices.forEach(_ -> inputs.add(new ArrayList<>()));
            for (int i = 0; i < count; i++) {
                kinds.add(ReduceKind.values()[random.nextInt(4)]);
                var dtype = DType.values()[random.nextInt(DType.values().length)];
                int size = random.nextBoolean() ? random.nextInt(50) : random.nextInt(40_000);
                inputs.forEach(of -> of.add(random(random, dtype, size)));
            }
            // 2. the same as one after the other
            var got =
                    all(
                            begin(
                                    round,
                                    devices,
                                    (c, g) -> c.allReduce(g, kinds, inputs.get(g.rank()))));
            for (int i = 0; i < count; i++) {
                int operand = i;
                var type = inputs.getFirst().get(i).type();
                var expected = HostArray.zeros(type);
                Reduction.reduce(
                        kinds.get(i),
                        type.dtype(),
                        inputs.stream().map(of -> of.get(operand).bytes()).toList(),
                        expected.bytes());
                got.forEach(of -> assertThat(of.get(operand).bytes()).isEqualTo(expected.bytes()));
            }
        }
    }

    @Test
    void everyTypeIsCombinedAsByItsOperation() {
        var random = new Random(5);
        for (var dtype : DType.values()) {
            for (var kind : ReduceKind.values()) {
                var in =
                        List.of(
                                random(random, dtype, 9),
                                random(random, dtype, 9),
                                random(random, dtype, 9));
                var found = HostArray.zeros(in.getFirst().type());
                var inputs = in.stream().map(HostArray::bytes).toList();
                Reduction.reduce(kind, dtype, inputs, found.bytes());
                var wanted = in.stream().map(x -> (Array) x).reduce((x, y) -> both(kind, x, y));
                assertThat(found).as("%s of %s", kind, dtype).isEqualTo(wanted.orElseThrow());
            }
        }
    }

    private static Array both(ReduceKind kind, Array x, Array y) {
        boolean truth = x.dtype() == DType.BOOL;
        return switch (kind) {
            case SUM -> truth ? x.or(y) : x.add(y);
            case PRODUCT -> truth ? x.and(y) : x.mul(y);
            case MAX -> truth ? x.or(y) : x.maximum(y);
            case MIN -> truth ? x.and(y) : x.minimum(y);
        };
    }

    @Test
    void gatherAndScatterAreInverse() throws Exception {
        start(2);
        var devices = List.of(3, 0, 2, 1);
        var places = List.of(2, 0, 3, 1);
        var whole = Array.iota(DType.F32, 96).reshape(4, 8, 3).toHost();
        var gathered =
                all(
                        begin(
                                1,
                                devices,
                                (c, g) ->
                                        c.allGather(
                                                g,
                                                Collectives.piece(
                                                                whole.type(),
                                                                1,
                                                                places.get(g.rank()),
                                                                4)
                                                        .cut(whole),
                                                1,
                                                places)));
        gathered.forEach(value -> assertThat(value.bytes()).isEqualTo(whole.bytes()));
        var scattered =
                all(
                        begin(
                                2,
                                devices,
                                (c, g) -> c.reduceScatter(g, ReduceKind.SUM, whole, 1, places)));
        for (int rank = 0; rank < 4; rank++) {
            var piece = Collectives.piece(whole.type(), 1, places.get(rank), 4).cut(whole);
            assertThat(scattered.get(rank).bytes()).isEqualTo(piece.mul(4).toHost().bytes());
        }
    }

    @Test
    void piecesChangePlacesBetweenAndWithinWorkers() throws Exception {
        start(2);
        var devices = List.of(3, 0, 2, 1);
        var inputs = IntStream.range(0, 4).mapToObj(i -> Array.normal(i, 8, 3)).toList();
        var moved = all(begin(1, devices, (c, g) -> c.allToAll(g, inputs.get(g.rank()), 0, 1)));
        for (int rank = 0; rank < 4; rank++) {
            int at = rank;
            var wanted =
                    Array.concat(
                            1, inputs.stream().map(x -> x.slice(0, 2 * at, 2 * at + 2)).toList());
            assertThat(moved.get(rank)).isEqualTo(wanted.toHost());
        }
        // 0 sends to 2, 3 to itself, 1 to 0; nobody sends to 1.
        var sent =
                all(
                        begin(
                                2,
                                devices,
                                (c, g) ->
                                        c.permute(
                                                g,
                                                inputs.get(g.rank()),
                                                List.of(0, 3, 1),
                                                List.of(2, 3, 0))));
        assertThat(sent)
                .containsExactly(inputs.get(1), Array.zeros(8, 3), inputs.get(0), inputs.get(3));
    }

    @Test
    void lossEndsEveryWaitForTheSliceAndNoOther() throws Exception {
        start(3);
        var array = Array.normal(1, 100_000);
        exchanges.forEach(exchange -> exchange.sees(7));
        // Devices 4 and 5 of slice 2 never come.
        var waiting =
                begin(
                        7,
                        List.of(0, 1, 2, 3),
                        (c, g) ->
                                c.allReduce(
                                        new Collectives.Group(
                                                7, 0, List.of(0, 1, 2, 3, 4, 5), g.rank()),
                                        List.of(ReduceKind.SUM),
                                        List.of(array)));
        exchanges.get(0).lose(2, 1, 8, "process 1 ended");
        exchanges.get(1).lose(2, 1, 8, "process 1 ended");
        for (var member : waiting) {
            assertThatThrownBy(() -> member.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(FaultException.class)
                    .hasMessageContaining("process 1 ended");
        }
        IntStream.range(0, 2).forEach(i -> exchanges.get(i).finish(2 * i, 7));
        IntStream.range(0, 2).forEach(i -> exchanges.get(i).finish(2 * i + 1, 7));
        var next =
                all(
                        begin(
                                8,
                                List.of(0, 1, 2, 3),
                                (c, g) -> c.allReduce(g, List.of(ReduceKind.SUM), List.of(array))));
        assertThat(next).hasSize(4);
    }

    @Test
    void endOfAConnectionEndsTheWaitWithoutAWordOfTheClient() throws Exception {
        start(2);
        var array = Array.normal(1, 10);
        exchanges.forEach(exchange -> exchange.sees(1));
        all(
                begin(
                        1,
                        List.of(0, 2),
                        (c, g) -> c.allReduce(g, List.of(ReduceKind.SUM), List.of(array))));
        exchanges.get(0).sees(2);
        var waiting =
                begin(
                        2,
                        List.of(0),
                        (c, _) ->
                                c.allReduce(
                                        new Collectives.Group(2, 0, List.of(0, 2), 0),
                                        List.of(ReduceKind.SUM),
                                        List.of(array)));
        exchanges.get(1).close();
        assertThatThrownBy(() -> waiting.getFirst().get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(FaultException.class)
                .hasMessageContaining("link");
    }

    @Test
    void aMemberThatFailsTellsTheOthers() throws Exception {
        start(2);
        var array = Array.normal(1, 100_000);
        var results =
                begin(
                        1,
                        List.of(0, 1, 2, 3),
                        (c, g) -> {
                            if (g.rank() == 2) {
                                c.abandon(g, Fault.failed("no memory on device 2"));
                                return List.<HostArray>of();
                            }
                            return c.allReduce(g, List.of(ReduceKind.SUM), List.of(array));
                        });
        for (int rank : List.of(0, 1, 3)) {
            assertThatThrownBy(() -> results.get(rank).get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(FaultException.class)
                    .hasMessageContaining("no memory on device 2");
        }
    }

    @Test
    void strangersAreRefused() throws Exception {
        start(1);
        var stranger = Exchange.start(new Peer(9, 1, 0, 18, 2, "127.0.0.1", 0), "another token");
        exchanges.add(stranger);
        stranger.roster(List.of(new Peer(0, 1, 0, 0, 2, "127.0.0.1", exchanges.getFirst().port())));
        stranger.sees(1);
        stranger.post(
                new Mail.Key(1, 0, 0, 18), List.of(0), new Mail.Bytes(Array.normal(1, 4).bytes()));
        assertThat(stranger.lost(1, 0)).isPresent();
        exchanges.getFirst().abandon(2);
        assertThatThrownBy(() -> exchanges.getFirst().take(0, new Mail.Key(1, 0, 0, 1)))
                .isInstanceOf(FaultException.class);
    }
}
