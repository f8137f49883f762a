package org.meshbook.elastic.worker;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.elastic.store.DeviceStore;
import org.meshbook.elastic.store.HostCopies;
import org.meshbook.elastic.store.Image;
import org.meshbook.elastic.transport.Exchange;
import org.meshbook.elastic.transport.Peer;
import org.meshbook.elastic.wire.TokenCheck;
import org.meshbook.elastic.wire.WorkerMethods;
import org.meshbook.elastic.wire.proto.Command;
import org.meshbook.elastic.wire.proto.Report;
import org.meshbook.elastic.worker.calls.Functions;
import org.meshbook.elastic.worker.calls.Lanes;

/// One slice host at work: its devices, its memory, and the ports by which it is reached.
///
/// What a client leaves behind stays until [#close()]; a new stream of the same session goes on
/// with it.
public final class WorkerServer implements AutoCloseable {
    private static final Path STATM = Path.of("/proc/self/statm");
    private static final long PAGE_BYTES = 4096;
    private static final int WINDOW_BYTES = 8 << 20;
    private static final long END_SECONDS = 2;

    private final WorkerConfig config;
    private final Exchange exchange;
    private final Programs programs;
    private final Probing probing;
    private final HostCopies copies;
    private final Functions functions = new Functions();
    private final Lanes lanes = new Lanes();
    private final Tenancy tenancy = new Tenancy(this);
    private final DeviceThread hostThread = new DeviceThread("host memory");
    private final DeviceThread probeThread = new DeviceThread("probe");
    private final List<LocalDevice> devices;
    private final Server server;
    private volatile @Nullable Imaging imaging;

    private WorkerServer(WorkerConfig config, Engine engine, Exchange exchange) {
        this.config = config;
        this.exchange = exchange;
        this.programs = new Programs(engine, config.threads());
        this.probing = new Probing(engine);
        this.copies = new HostCopies(engine::copyToHost);
        this.devices =
                IntStream.range(0, config.devices())
                        .mapToObj(i -> LocalDevice.of(config.firstDevice() + i))
                        .toList();
        this.server =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .directExecutor()
                        .maxInboundMessageSize(WorkerMethods.MESSAGE_BYTES)
                        .flowControlWindow(WINDOW_BYTES)
                        .intercept(TokenCheck.requiring(this::mayCall))
                        .addService(WorkerMethods.service(this::open, this::watch))
                        .build();
    }

    /// Opens both ports and readies the engine.
    ///
    /// @param config what to be
    /// @return the running worker
    /// @throws UsageError if there is no such engine, it lacks something, or a port cannot be
    ///   opened
    public static WorkerServer start(WorkerConfig config) {
        var engine = Engines.inWorker(config.engine());
        var self =
                new Peer(
                        config.slice(),
                        config.generation(),
                        config.host(),
                        config.firstDevice(),
                        config.devices(),
                        InetAddress.getLoopbackAddress().getHostAddress(),
                        0);
        var worker = new WorkerServer(config, engine, Exchange.start(self, config.token()));
        try {
            worker.server.start();
            return worker;
        } catch (IOException e) {
            worker.close();
            throw new UsageError("cannot open a dispatch port: %s", String.valueOf(e.getMessage()));
        }
    }

    /// @return port of the gRPC dispatch service
    public int dispatchPort() {
        return server.getPort();
    }

    /// @return port of the bulk transport
    public int bulkPort() {
        return exchange.port();
    }

    /// @return resident memory of this process; 0 where the system does not tell
    public long memoryBytes() {
        try {
            var fields = Files.readString(STATM).split(" ");
            return Long.parseLong(fields[1]) * PAGE_BYTES;
        } catch (IOException e) {
            return 0;
        }
    }

    /// Says what becomes of a suspension.
    ///
    /// @param image where to put the image, which nobody sees before it is complete
    /// @param told bytes of the image once it is complete, or why there is none
    public void suspendInto(Path image, Suspended told) {
        imaging = new Imaging(image, told);
    }

    /// Goes on from an image; called before any client comes.
    ///
    /// @param image file
    /// @throws IOException if it cannot be read, or is damaged
    public void resume(Path image) throws IOException {
        tenancy.resumed(Image.read(image, stores(), copies));
    }

    /// Told of a suspension, once.
    public interface Suspended {
        /// @param bytes of the complete image; 0 if there is none
        /// @param refusal why there is none; empty if there is one
        void told(long bytes, String refusal);
    }

    private record Imaging(Path image, Suspended told) {}

    /// Puts everything into the image, once the devices have done what was dispatched before.
    void suspend() {
        var left = new AtomicInteger(devices.size());
        for (var device : devices) {
            device.thread()
                    .add(
                            () -> {
                                if (left.decrementAndGet() == 0) {
                                    hostThread.add(this::writeImage);
                                }
                            });
        }
    }

    private void writeImage() {
        var now = imaging;
        if (now == null) {
            return;
        }
        var stateful = functions.stateful();
        if (stateful.isPresent()) {
            now.told()
                    .told(
                            0,
                            "host function '%s' keeps a state, which no image can hold"
                                    .formatted(stateful.get()));
            return;
        }
        try {
            now.told().told(Image.write(now.image(), stores(), copies, tenancy.published()), "");
        } catch (IOException e) {
            now.told().told(0, "its image cannot be written: " + e.getMessage());
        }
    }

    private List<DeviceStore> stores() {
        return devices.stream().map(LocalDevice::store).toList();
    }

    private StreamObserver<Command> open(StreamObserver<Report> reports) {
        return new Dispatcher(this, new Reports((ServerCallStreamObserver<Report>) reports));
    }

    private StreamObserver<Command> watch(StreamObserver<Report> reports) {
        return new Watcher(this, new Reports((ServerCallStreamObserver<Report>) reports));
    }

    private boolean mayCall(String method, String shown) {
        return WorkerMethods.isObserving(method)
                ? !shown.isEmpty() && TokenCheck.matches(config.observerToken(), shown)
                : TokenCheck.matches(config.token(), shown);
    }

    Tenancy tenancy() {
        return tenancy;
    }

    Exchange exchange() {
        return exchange;
    }

    Programs programs() {
        return programs;
    }

    Probing probing() {
        return probing;
    }

    HostCopies copies() {
        return copies;
    }

    DeviceThread hostThread() {
        return hostThread;
    }

    DeviceThread probeThread() {
        return probeThread;
    }

    Functions functions() {
        return functions;
    }

    Lanes lanes() {
        return lanes;
    }

    WorkerConfig config() {
        return config;
    }

    List<LocalDevice> devices() {
        return devices;
    }

    String name() {
        return "slice " + config.slice() + " host " + config.host();
    }

    LocalDevice device(int id) {
        int index = id - config.firstDevice();
        UsageError.require(
                index >= 0 && index < devices.size(), "device %d is not one of %s", id, name());
        return devices.get(index);
    }

    /// Ends everything: clients see their streams end, peers their links; waits a moment at most.
    @Override
    public void close() {
        server.shutdownNow();
        exchange.close();
        lanes.close();
        devices.forEach(device -> device.thread().close());
        hostThread.close();
        probeThread.close();
        try {
            server.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        programs.close();
        probing.close();
        functions.close();
    }
}
