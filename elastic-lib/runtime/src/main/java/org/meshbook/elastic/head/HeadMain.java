package org.meshbook.elastic.head;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.lang.ref.Reference;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.wire.HeadFile;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.RuntimeFolder;
import org.meshbook.elastic.wire.TokenCheck;

/// The head's process: `HeadMain <runtime folder> <port, or 0>`.
///
/// Lock → log → port → state file → sessions, until the last one is closed or somebody stops it.
/// Prints nothing once it runs; why it cannot start is its last line on standard error.
public final class HeadMain {
    private static final System.Logger LOG = System.getLogger(HeadMain.class.getName());
    private static final long LOG_BYTES = 1 << 20;
    private static final int LOCK_ATTEMPTS = 200;
    private static final long LOCK_PAUSE_MILLIS = 10;
    private static final long LAST_REPLIES_MILLIS = 100;
    private static final String PRIVATE = "rw-------";
    private static final Set<String> TOKEN_IN_FIRST_MESSAGE = Set.of("Enroll", "Observe");

    private HeadMain() {}

    /// @param args the runtime folder and the port
    public static void main(String[] args) {
        var console = System.err;
        try {
            run(RuntimeFolder.at(Path.of(args[0])), Integer.parseInt(args[1]));
            System.exit(0);
        } catch (UsageError e) {
            console.println(e.getMessage());
        } catch (IOException e) {
            console.println("cannot write in '%s': %s".formatted(args[0], e.getMessage()));
        } catch (InterruptedException e) {
            console.println("interrupted");
        }
        System.exit(1);
    }

    private static void run(RuntimeFolder folder, int port)
            throws IOException, InterruptedException {
        // 1. Be the only one.
        var lock = lock(folder);
        sendLogsTo(folder);
        Thread.ofPlatform().daemon().name("meshbook-head-detach").start(Detach::fromTerminal);
        // 2. Listen.
        var work = new WorkFolders();
        var head = new Head(folder, work);
        var token = TokenCheck.newToken();
        var server = listen(head, token, port);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> atExit(folder, head, work), "meshbook-head-exit"));
        // 3. Say so.
        head.open(server.getPort(), token);
        var self = ProcessHandle.current();
        new HeadFile(
                        self.pid(),
                        HeadFile.started(self),
                        server.getPort(),
                        HeadMethods.PROTOCOL,
                        token)
                .write(folder);
        LOG.log(Level.INFO, "head pid=" + self.pid() + " port=" + server.getPort());
        work.sweep();
        // 4. Serve.
        head.awaitEnd();
        Files.deleteIfExists(folder.state());
        server.shutdown();
        server.awaitTermination(LAST_REPLIES_MILLIS, TimeUnit.MILLISECONDS);
        // Held until the process is gone: whoever sees it free knows that.
        Reference.reachabilityFence(lock);
    }

    private static FileLock lock(RuntimeFolder folder) throws IOException, InterruptedException {
        var channel =
                FileChannel.open(
                        folder.lock(),
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString(PRIVATE)));
        // Clients that look whether a head lives hold the lock for a moment.
        for (int attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
            @Nullable FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            TimeUnit.MILLISECONDS.sleep(LOCK_PAUSE_MILLIS);
        }
        throw new UsageError("locked: another head runs in '%s'", folder.path());
    }

    private static void sendLogsTo(RuntimeFolder folder) {
        System.setProperty(
                "java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
        var log =
                new PrintStream(
                        new BoundedLog(folder.file("head.log"), LOG_BYTES),
                        true,
                        StandardCharsets.UTF_8);
        System.setOut(log);
        System.setErr(log);
    }

    private static Server listen(Head head, String token, int port) throws IOException {
        try {
            return NettyServerBuilder.forAddress(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .directExecutor()
                    .maxInboundMessageSize(HeadMethods.MESSAGE_BYTES)
                    .intercept(
                            TokenCheck.requiring(
                                    // Workers and observers show a token of their session there.
                                    (method, shown) ->
                                            TOKEN_IN_FIRST_MESSAGE.contains(method)
                                                    || TokenCheck.matches(token, shown)))
                    .addService(HeadService.of(head::post))
                    .build()
                    .start();
        } catch (IOException e) {
            if (e.getCause() instanceof BindException) {
                throw new UsageError(
                        "port %d on 127.0.0.1 is in use; choose another one, or none", port);
            }
            throw e;
        }
    }

    private static void atExit(RuntimeFolder folder, Head head, WorkFolders work) {
        head.killAll();
        try {
            Files.deleteIfExists(folder.state());
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the state file stays", e);
        }
        work.dropOwn();
    }
}
