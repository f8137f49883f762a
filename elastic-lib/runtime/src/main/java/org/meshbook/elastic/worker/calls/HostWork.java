package org.meshbook.elastic.worker.calls;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;
import org.meshbook.elastic.slices.hosts.HostShard;
import org.meshbook.elastic.store.Shard;
import org.meshbook.elastic.transport.Fault;
import org.meshbook.elastic.transport.FaultException;

/// One call of a host function: waits for its inputs, runs once, and lets those wait who need what
/// it makes. Thread-safe.
public final class HostWork {
    private static final int MOST_RESULT_BYTES = 16 << 20;

    private static final Comparator<HostShard> BY_PLACE =
            (a, b) -> {
                var left = a.region().start();
                var right = b.region().start();
                for (int i = 0; i < left.size(); i++) {
                    if (!left.get(i).equals(right.get(i))) {
                        return Integer.compare(left.get(i), right.get(i));
                    }
                }
                return 0;
            };

    private final String name;
    private final int slice;
    private final int host;
    private final List<List<HostShard>> arrays;
    private final List<List<HostShard>> outputs = new ArrayList<>();
    private final CountDownLatch inputs;
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable Fault fault;

    /// @param name of the function's class
    /// @param slice index of this worker's slice
    /// @param host index of this worker's host
    /// @param arrays how many arrays are given
    /// @param inputs how many shards of them will be handed over
    public HostWork(String name, int slice, int host, int arrays, int inputs) {
        this.name = name;
        this.slice = slice;
        this.host = host;
        this.arrays = lists(arrays);
        this.inputs = new CountDownLatch(inputs);
    }

    private static List<List<HostShard>> lists(int count) {
        var lists = new ArrayList<List<HostShard>>();
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }

    /// Hands a shard over; on a device's thread.
    ///
    /// @param array index of the array
    /// @param region which part it is
    /// @param shard its value, or why there is none
    public void input(int array, Region region, Shard shard) {
        synchronized (arrays) {
            try {
                arrays.get(array).add(new HostShard(region, shard.value()));
            } catch (FaultException e) {
                fault = fault == null ? e.fault() : fault;
            }
        }
        inputs.countDown();
    }

    /// Adds a shard to be made; before the call runs.
    ///
    /// @param array index of the output
    /// @param shard where it goes
    public void output(int array, HostShard shard) {
        while (outputs.size() <= array) {
            outputs.add(new ArrayList<>());
        }
        outputs.get(array).add(shard);
    }

    /// Runs it, on its lane.
    ///
    /// @param function finds the object
    /// @param arguments what the caller gave
    /// @param making adds the outputs
    /// @param progress takes the bytes done
    /// @return what the function returned
    /// @throws FaultException if there is no result, with the reason
    public byte[] run(
            Supplier<HostFunction> function,
            byte[] arguments,
            Runnable making,
            LongConsumer progress)
            throws FaultException {
        try {
            // 1. everything that it reads is here
            inputs.await();
            synchronized (arrays) {
                if (fault != null) {
                    throw new FaultException(fault);
                }
                arrays.forEach(shards -> shards.sort(BY_PLACE));
            }
            // 2. memory for what it makes
            making.run();
            // 3. call
            var result =
                    function.get()
                            .call(new Host(slice, host, arrays, outputs, progress), arguments);
            if (result.length > MOST_RESULT_BYTES) {
                throw new FaultException(
                        Fault.failed(
                                "host function '%s' returned %d bytes on slice %d host %d; return at most %d, and arrays as outputs"
                                        .formatted(
                                                name,
                                                result.length,
                                                slice,
                                                host,
                                                MOST_RESULT_BYTES)));
            }
            return result;
        } catch (FaultException e) {
            throw failed(e.fault());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(Fault.failed(where() + " was stopped with its worker"));
        } catch (Exception | Error e) {
            throw failed(Fault.of(e, where()));
        } finally {
            over.countDown();
        }
    }

    private FaultException failed(Fault why) {
        synchronized (arrays) {
            fault = why;
        }
        return new FaultException(why);
    }

    private String where() {
        return "host function '%s' on slice %d host %d".formatted(name, slice, host);
    }

    /// Waits until the call has run, for what it made.
    ///
    /// @param array index of the output
    /// @param region which part
    /// @return the shard
    /// @throws InterruptedException if the thread is interrupted
    public Shard made(int array, Region region) throws InterruptedException {
        over.await();
        synchronized (arrays) {
            if (fault != null) {
                return new Shard.Poisoned(fault);
            }
        }
        HostArray data =
                outputs.get(array).stream()
                        .filter(shard -> shard.region().equals(region))
                        .findFirst()
                        .orElseThrow()
                        .data();
        return new Shard.Value(data);
    }
}
