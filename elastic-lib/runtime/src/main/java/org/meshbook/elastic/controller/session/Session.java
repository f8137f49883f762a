package org.meshbook.elastic.controller.session;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.controller.MembershipSource;
import org.meshbook.elastic.controller.MeshRuntime;
import org.meshbook.elastic.controller.link.HeadLink;
import org.meshbook.elastic.controller.link.HeadUnavailable;
import org.meshbook.elastic.controller.link.LocalHead;
import org.meshbook.elastic.controller.link.LoggedEvent;
import org.meshbook.elastic.slices.ClusterView;
import org.meshbook.elastic.slices.CurrentSlices;
import org.meshbook.elastic.wire.HeadFile;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.proto.OpenSession;
import org.meshbook.elastic.wire.proto.ReleaseSlices;
import org.meshbook.elastic.wire.proto.SessionRequest;
import org.meshbook.elastic.wire.proto.SetActive;

/// A client's lease of slices from the head.
///
/// Closing it frees its slices at once; if the client's process dies without closing it, they are
/// kept for the grace period, and whoever shows [#token()] attaches again. The end of the Java
/// process by a signal or by `System.exit` closes it. Thread-safe.
public final class Session implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Session.class.getName());
    private static final int OPEN_ATTEMPTS = 3;

    /// Sessions that this process has, by their tokens.
    private static final Map<String, Session> HELD = new ConcurrentHashMap<>();

    private final HeadLink link;
    private final Thread atExit =
            new Thread(() -> end(false, Optional.empty()), "meshbook-session-close");
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicReference<Optional<MeshRuntime>> runtime =
            new AtomicReference<>(Optional.empty());

    /// What becomes of slices that are there already.
    private enum Use {
        NONE,
        CURRENT,
        TAKE_OVER
    }

    private Session(HeadLink link, Use use) {
        this.link = link;
        if (!link.observes()) {
            HELD.put(link.token(), this);
        }
        if (use != Use.NONE && link.board().allocation().isPresent()) {
            var fresh = makeCurrent();
            if (use == Use.TAKE_OVER) {
                fresh.adopt();
            }
        }
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /// Opens a session; starts a head first if none runs.
    ///
    /// @param options how
    /// @return the session
    /// @throws HeadUnavailable if no head can be started or reached
    /// @throws UsageError if the head refuses, as for a token that it does not know
    public static Session open(SessionOptions options) {
        var heads = heads(options);
        options.token().ifPresent(Session::requireNotHere);
        var open = message(options, options.token().orElse(""));
        for (int attempt = 1; ; attempt++) {
            var head = options.token().isPresent() ? running(heads) : heads.findOrStart();
            try {
                return new Session(
                        HeadLink.open(heads, head, open),
                        options.token().isPresent() ? Use.TAKE_OVER : Use.CURRENT);
            } catch (HeadUnavailable gone) {
                // One that was about to end when it was found; the next look starts another.
                if (attempt == OPEN_ATTEMPTS || !gone.ended() || !heads.awaitEnd(head)) {
                    throw gone;
                }
            }
        }
    }

    /// Attaches to a session that waits for a client: what it published can be used again, what
    /// else its arrays were is freed.
    ///
    /// @param id as [Known] says it
    /// @param options how
    /// @return the session
    /// @throws UsageError if it is over, or somebody has it; says since when and why
    /// @throws HeadUnavailable if the head cannot be reached
    public static Session attach(String id, SessionOptions options) {
        var known = Known.living(id, options);
        return open(options.withToken(known.token()));
    }

    /// Attaches to a session that waits in order to close it: it does not become the current one.
    ///
    /// @param id as [Known] says it
    /// @param options how
    /// @return the session; closing it frees its slices
    /// @throws UsageError if it is over, or somebody has it
    /// @throws HeadUnavailable if the head cannot be reached
    public static Session reclaim(String id, SessionOptions options) {
        var known = Known.living(id, options);
        requireNotHere(known.token());
        var heads = heads(options);
        return new Session(
                HeadLink.open(heads, running(heads), message(options, known.token())), Use.NONE);
    }

    /// Looks on at a session: its membership, its events, and what it published. The head and the
    /// workers refuse everything else.
    ///
    /// @param id as [Known] says it
    /// @param options how
    /// @return the session; closing it changes nothing for who has it
    /// @throws UsageError if it is over
    /// @throws HeadUnavailable if the head cannot be reached
    public static Session observe(String id, SessionOptions options) {
        var known = Known.living(id, options);
        var heads = heads(options);
        var open = message(options, known.observer());
        return new Session(HeadLink.observe(heads, running(heads), open), Use.TAKE_OVER);
    }

    /// The head lets a process attach to a session of its own anew, since its stream may have
    /// broken; a second session object would silently end the first.
    private static void requireNotHere(String token) {
        var here = HELD.get(token);
        UsageError.require(
                here == null || !here.isOpen(),
                "this process has session %s already; use that one, or close it first",
                here == null ? "" : here.id());
    }

    static LocalHead heads(SessionOptions options) {
        return options.folder().map(LocalHead::at).orElseGet(LocalHead::ofEnvironment);
    }

    private static OpenSession message(SessionOptions options, String token) {
        return OpenSession.newBuilder()
                .setProtocol(HeadMethods.PROTOCOL)
                .setName(options.name())
                .setPid(ProcessHandle.current().pid())
                .setGraceMs(options.grace().toMillis())
                .setToken(token)
                .build();
    }

    /// @return id of the session, as tables show it
    public String id() {
        return link.session();
    }

    /// @return process id of the head
    public long headPid() {
        return link.head().pid();
    }

    /// @return what attaches to this session again; a secret
    public String token() {
        return link.token();
    }

    /// @return whether an earlier session was attached to
    public boolean resumed() {
        return link.resumed();
    }

    /// @return what observes this session; a secret
    public String observerToken() {
        return link.observerToken();
    }

    /// @return whether this only looks on
    public boolean observes() {
        return link.observes();
    }

    /// @return who has the session that is observed, as "kernel, pid 4711"; empty while nobody has
    ///   it, and for a session of one's own
    public String holder() {
        return link.holder();
    }

    /// @return whether it can still be asked: false once it is closed or its head is gone
    public boolean isOpen() {
        return !closed.get() && !link.board().isGone();
    }

    /// Starts what lives in the head beside the slices, unless it runs.
    ///
    /// @param name its name, as `cluster`
    /// @param options what is wanted of it
    /// @return how to reach it; it lives as long as the head, which this session keeps
    /// @throws UsageError if the head refuses; one line that says why
    /// @throws HeadUnavailable if the head cannot be reached
    public Map<String, String> guest(String name, Map<String, String> options) {
        requireWriter();
        return link.guest(name, options);
    }

    /// @return membership of this session's slices
    public MembershipSource membership() {
        return link;
    }

    /// @return what is provisioned now
    public Optional<ProvisionRequest> allocation() {
        return link.board().allocation().map(Provisioning::request);
    }

    /// @return what runs programs on the slices; empty while none are provisioned
    public Optional<MeshRuntime> runtime() {
        return runtime.get();
    }

    /// Starts slices, waits until all of them are healthy, and makes them current. If that fails,
    /// those that came up are released.
    ///
    /// Slices that come through a queue are current at once, however many are there: see
    /// [#await(Predicate, Duration)].
    ///
    /// @param request what
    /// @return what runs programs on them, until [#release()] or [#close()]
    /// @throws UsageError if slices are provisioned already, or the machine has no room for so many
    /// @throws ProvisionFailed if not all are healthy in time; names a worker's last words
    /// @throws InterruptedException if the thread is interrupted; what came up is released
    public MeshRuntime provision(ProvisionRequest request) throws InterruptedException {
        requireWriter();
        link.ask(SessionRequest.newBuilder().setProvision(Provisioning.message(request)));
        if (request.queue().isPresent()) {
            return makeCurrent();
        }
        boolean all = false;
        try {
            Provisioning.awaitHealthy(link.board(), request);
            all = true;
            return makeCurrent();
        } finally {
            if (!all) {
                releaseQuietly();
            }
        }
    }

    /// Waits until the slices are as wanted.
    ///
    /// @param wanted of their view
    /// @param within how long at most
    /// @return whether they were in time
    /// @throws HeadUnavailable if the head is gone
    /// @throws InterruptedException if the thread is interrupted; nothing is changed
    public boolean await(Predicate<ClusterView> wanted, Duration within)
            throws InterruptedException {
        return link.board().await(now -> wanted.test(now.view()), within);
    }

    /// Ends all slices of this session; it stays open.
    public void release() {
        requireWriter();
        letGo();
        link.ask(SessionRequest.newBuilder().setRelease(ReleaseSlices.getDefaultInstance()));
    }

    /// Tells the head which slices a program uses, for its tables; until told, all healthy ones.
    ///
    /// @param slices indices
    public void active(Collection<Integer> slices) {
        link.ask(
                SessionRequest.newBuilder()
                        .setSetActive(SetActive.newBuilder().addAllSlices(slices)));
    }

    /// @param last how many at most
    /// @return the tail of this session's event log, oldest first
    public List<LoggedEvent> events(int last) {
        return LoggedEvent.tail(link.head(), id(), last);
    }

    /// Closes the session; a second call does nothing.
    ///
    /// @param restart keeps the slices for the grace period, for a client that comes back
    public void close(boolean restart) {
        close(restart, Optional.empty());
    }

    /// Leaves the session to whoever attaches next; what has no name is freed then.
    ///
    /// @param grace how long its slices are kept; empty leaves it as it is
    public void detach(Optional<Duration> grace) {
        close(true, grace);
    }

    private void close(boolean restart, Optional<Duration> grace) {
        end(restart, grace);
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException atExitNow) {
            // The process is ending, which is fine.
        }
    }

    /// Closes the session and frees its slices.
    @Override
    public void close() {
        close(false);
    }

    /// Drops the stream as a killed process would.
    void abandon() {
        closed.set(true);
        HELD.remove(token(), this);
        letGo();
        link.abandon();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private void end(boolean restart, Optional<Duration> grace) {
        if (closed.compareAndSet(false, true)) {
            HELD.remove(token(), this);
            letGo();
            link.close(restart, grace);
        }
    }

    private void requireWriter() {
        UsageError.require(
                !observes(),
                "an observer can only look; session %s belongs to %s",
                id(),
                holder().isEmpty() ? "whoever attaches to it" : holder());
    }

    private MeshRuntime makeCurrent() {
        var fresh = new MeshRuntime(link);
        runtime.set(Optional.of(fresh));
        CurrentSlices.set(Optional.of(fresh));
        return fresh;
    }

    private void letGo() {
        runtime.getAndSet(Optional.empty())
                .ifPresent(
                        old -> {
                            if (CurrentSlices.find().filter(slices -> slices == old).isPresent()) {
                                CurrentSlices.set(Optional.empty());
                            }
                            old.close();
                        });
    }

    private void releaseQuietly() {
        try {
            release();
        } catch (HeadUnavailable gone) {
            LOG.log(Level.DEBUG, "nothing to release", gone);
        }
    }

    private static HeadFile running(LocalHead heads) {
        return heads.find()
                .orElseThrow(
                        () ->
                                new UsageError(
                                        "the session to attach to is gone: no head runs; open a"
                                                + " new one, as with %%slices 4"));
    }
}
