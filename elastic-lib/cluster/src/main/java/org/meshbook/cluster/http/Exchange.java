package org.meshbook.cluster.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One request and its answer. Belongs to the thread of its connection; a WebSocket that it became
/// may be written by any.
public final class Exchange {
    /// What of a body that nobody wanted is read, so that the connection can be used again.
    private static final int MOST_LEFT_BYTES = 1 << 20;

    private final Head head;
    private final InputStream in;
    private final OutputStream out;
    private final Patient patient;
    private final RequestBody body;
    private final Map<String, String> answer = new LinkedHashMap<>();
    private @Nullable ChunkedOutput stream;
    private boolean answered;
    private boolean left;

    /// Has the connection wait for the client as long as it takes.
    interface Patient {
        void become() throws IOException;
    }

    Exchange(Head head, InputStream in, OutputStream out, Patient patient) throws IOException {
        this.head = head;
        this.in = in;
        this.out = out;
        this.patient = patient;
        body = RequestBody.of(head, in, this::goOn);
    }

    private void goOn() throws IOException {
        out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
        out.flush();
    }

    /// @return such as `GET`
    public String method() {
        return head.method();
    }

    /// @return the path as it was sent, `%` and all
    public String path() {
        return head.path();
    }

    /// @return what followed its `?`, as it was sent; often empty
    public String query() {
        return head.query();
    }

    /// @param name a header's name
    /// @return its value; several with commas between
    public Optional<String> header(String name) {
        return Optional.ofNullable(head.headers().get(name.toLowerCase(Locale.ROOT)));
    }

    /// @return the request's body
    public InputStream body() {
        return body;
    }

    /// Adds a header to the answer; may be called again for one that may come several times.
    ///
    /// @param name name
    /// @param value value
    public void add(String name, String value) {
        answer.merge(name, value, (before, next) -> before + "\r\n" + name + ": " + next);
    }

    /// Answers, whole.
    ///
    /// @param code status
    /// @param type media type
    /// @param bytes body
    /// @throws IOException if the client is gone
    public void answer(int code, String type, byte[] bytes) throws IOException {
        add("Content-Type", type);
        add("Content-Length", Integer.toString(bytes.length));
        head(code);
        if (!head.method().equals("HEAD")) {
            out.write(bytes);
        }
        out.flush();
    }

    /// Begins an answer whose end is not known yet.
    ///
    /// @param type media type
    /// @return takes its body; a flush sends what was written
    /// @throws IOException if the client is gone
    public OutputStream stream(String type) throws IOException {
        add("Content-Type", type);
        add("Transfer-Encoding", "chunked");
        head(200);
        out.flush();
        var chunks = new ChunkedOutput(out);
        stream = chunks;
        return chunks;
    }

    /// @return whether the client asks for a WebSocket
    public boolean wantsWebSocket() {
        return head.has("upgrade", "websocket") && !head.header("sec-websocket-key").isEmpty();
    }

    /// @param protocol the name of a protocol
    /// @return whether the client would speak it
    public boolean speaks(String protocol) {
        return head.has("sec-websocket-protocol", protocol);
    }

    /// Leaves HTTP.
    ///
    /// @param protocol what is spoken from now on
    /// @return the WebSocket
    /// @throws IOException if the client is gone
    public WebSocket webSocket(String protocol) throws IOException {
        left = true;
        add("Upgrade", "websocket");
        add("Connection", "Upgrade");
        add("Sec-WebSocket-Accept", WebSocket.accept(head.header("sec-websocket-key")));
        add("Sec-WebSocket-Protocol", protocol);
        head(101);
        out.flush();
        patient.become();
        return new WebSocket(in, out);
    }

    private void head(int code) throws IOException {
        if (answered) {
            throw new IllegalStateException("answered twice");
        }
        answered = true;
        var text = new StringBuilder("HTTP/1.1 ").append(code).append(" \r\n");
        answer.forEach((name, value) -> text.append(name + ": " + value + "\r\n"));
        out.write(text.append("\r\n").toString().getBytes(ISO_8859_1));
    }

    /// @return whether the answer has begun
    public boolean answered() {
        return answered;
    }

    /// Ends what the handler left open.
    ///
    /// @return whether another request may come on this connection
    boolean end() throws IOException {
        var chunks = stream;
        if (chunks != null) {
            chunks.close();
        }
        return !left
                && answered
                && head.version().equals("HTTP/1.1")
                && !head.has("connection", "close")
                && body.skipTo(MOST_LEFT_BYTES);
    }
}
