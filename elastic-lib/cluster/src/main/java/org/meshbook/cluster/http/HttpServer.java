package org.meshbook.cluster.http;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// Listens on loopback and has each request handled on the thread of its connection.
public final class HttpServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());
    private static final int BACKLOG = 100;
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final ServerSocket listening;
    private final SSLContext tls;
    private final Handler handler;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("meshbook-api-", 0).factory());

    /// Answers requests.
    @FunctionalInterface
    public interface Handler {
        /// @param exchange the request, to be answered before this returns
        /// @throws IOException if the client is gone
        void handle(Exchange exchange) throws IOException;
    }

    private HttpServer(ServerSocket listening, SSLContext tls, Handler handler) {
        this.listening = listening;
        this.tls = tls;
        this.handler = handler;
    }

    /// Starts to listen.
    ///
    /// @param port port, or 0 for any
    /// @param tls key and certificate
    /// @param handler answers requests; called by many threads
    /// @return the server
    /// @throws IOException if the port is in use
    public static HttpServer start(int port, SSLContext tls, Handler handler) throws IOException {
        var listening = new ServerSocket();
        listening.setReuseAddress(true);
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        var server = new HttpServer(listening, tls, handler);
        server.threads.execute(server::accept);
        return server;
    }

    /// @return the port that it listens on
    public int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                var socket = listening.accept();
                open.add(socket);
                threads.execute(() -> connection(socket));
            } catch (IOException closed) {
                LOG.log(Level.DEBUG, "accept ended", closed);
                // Too many open files, say: some are closed soon.
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /// Closed is the socket below TLS: that waits for nobody.
    private void connection(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(IDLE.toMillis()));
            var secure = (SSLSocket) tls.getSocketFactory().createSocket(socket, null, false);
            secure.setUseClientMode(false);
            var in = new BufferedInputStream(secure.getInputStream());
            var out = new BufferedOutputStream(secure.getOutputStream());
            for (var head = Head.read(in); head.isPresent(); head = Head.read(in)) {
                var exchange = new Exchange(head.get(), in, out, () -> socket.setSoTimeout(0));
                handler.handle(exchange);
                if (!exchange.end()) {
                    break;
                }
            }
            secure.close();
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "a connection ended", gone);
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() {
        close(listening);
        open.forEach(HttpServer::close);
        threads.shutdownNow();
    }

    private static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            LOG.log(Level.DEBUG, "cannot close", e);
        }
    }
}
