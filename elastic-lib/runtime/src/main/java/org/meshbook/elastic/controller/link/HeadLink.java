package org.meshbook.elastic.controller.link;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.controller.Membership;
import org.meshbook.elastic.controller.MembershipSource;
import org.meshbook.elastic.controller.NameSource;
import org.meshbook.elastic.slices.SliceEvent;
import org.meshbook.elastic.slices.Slices;
import org.meshbook.elastic.wire.HeadFile;
import org.meshbook.elastic.wire.HeadMethods;
import org.meshbook.elastic.wire.proto.CloseSession;
import org.meshbook.elastic.wire.proto.LetGo;
import org.meshbook.elastic.wire.proto.OpenSession;
import org.meshbook.elastic.wire.proto.SessionDone;
import org.meshbook.elastic.wire.proto.SessionOpened;
import org.meshbook.elastic.wire.proto.SessionReply;
import org.meshbook.elastic.wire.proto.SessionRequest;

/// The session's stream to the head: asks, and takes in membership.
///
/// A stream that breaks while the head lives is opened again with the session's token. If the head
/// is gone, so are its workers: every slice is told as lost, once, and asks fail from then on.
/// Thread-safe; at most one ask is under way.
public final class HeadLink implements MembershipSource {
    private static final System.Logger LOG = System.getLogger(HeadLink.class.getName());
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration RELINK = Duration.ofSeconds(3);
    private static final Duration RELINK_PAUSE = Duration.ofMillis(50);

    private final LocalHead heads;
    private final HeadFile head;
    private final OpenSession open;
    private final boolean observing;
    private final long first;
    private final MembershipBoard board = new MembershipBoard();
    private final Object asking = new Object();
    private volatile Stream stream;
    private volatile SessionOpened opened;
    private volatile boolean closed;
    private long number;

    private HeadLink(LocalHead heads, HeadFile head, OpenSession open, boolean observing) {
        this.heads = heads;
        this.head = head;
        this.open = open;
        this.observing = observing;
        var stream = new Stream();
        this.stream = stream;
        this.opened = stream.open(open);
        this.first = opened.getFirstNumber();
    }

    /// @return how to reach what lives in the head beside the slices
    public Map<String, String> guest(String name, Map<String, String> options) {
        return heads.guest(name, options);
    }

    /// Opens a session or attaches to one.
    ///
    /// @param heads finds the head again after the stream broke
    /// @param head who it is
    /// @param open the first message
    /// @return the link
    /// @throws UsageError if the head refuses
    /// @throws HeadUnavailable if it cannot be reached
    public static HeadLink open(LocalHead heads, HeadFile head, OpenSession open) {
        return new HeadLink(heads, head, open, false);
    }

    /// Observes a session.
    ///
    /// @param heads finds the head again after the stream broke
    /// @param head who it is
    /// @param open the first message, with the observer's token
    /// @return the link
    /// @throws UsageError if the head refuses
    /// @throws HeadUnavailable if it cannot be reached
    public static HeadLink observe(LocalHead heads, HeadFile head, OpenSession open) {
        return new HeadLink(heads, head, open, true);
    }

    /// @return the head at the other end
    public HeadFile head() {
        return head;
    }

    /// @return id of the session
    public String session() {
        return opened.getSession();
    }

    /// @return whether the session was there before
    public boolean resumed() {
        return opened.getResumed();
    }

    /// @return the newest membership and those who listen to it
    public MembershipBoard board() {
        return board;
    }

    @Override
    public Membership now() {
        return board.newest();
    }

    @Override
    public Slices.Subscription watch(BiConsumer<Membership, Optional<SliceEvent>> listener) {
        return board.watch(listener);
    }

    @Override
    public void letGo(Set<Integer> slices) {
        try {
            ask(SessionRequest.newBuilder().setLetGo(LetGo.newBuilder().addAllSlices(slices)));
        } catch (HeadUnavailable gone) {
            // Then they are gone as well.
            LOG.log(System.Logger.Level.DEBUG, "nobody to let slices go", gone);
        }
    }

    @Override
    public String token() {
        return observing ? opened.getObserverToken() : opened.getToken();
    }

    @Override
    public boolean observes() {
        return observing;
    }

    @Override
    public long firstNumber() {
        return first;
    }

    /// @return lets look and fetch, and nothing else; a secret
    public String observerToken() {
        return opened.getObserverToken();
    }

    /// @return who has the session that is observed; empty while nobody has it
    public String holder() {
        return opened.getHolder();
    }

    @Override
    public NameSource names() {
        return new HeadNames(this);
    }

    /// Asks and waits until it is done.
    ///
    /// @param request what; its number is set here
    /// @throws UsageError if the head refuses
    /// @throws HeadUnavailable if it cannot be asked
    public void ask(SessionRequest.Builder request) {
        answer(request);
    }

    SessionDone answer(SessionRequest.Builder request) {
        synchronized (asking) {
            var done = stream.ask(request.setNumber(++number).build());
            UsageError.require(done.getRefusal().isEmpty(), "%s", done.getRefusal());
            return done;
        }
    }

    /// Closes the session; slices are freed at once, or kept for the grace period.
    ///
    /// @param restart keeps them
    /// @param grace how long; empty leaves it as it is
    public void close(boolean restart, Optional<Duration> grace) {
        if (closed) {
            return;
        }
        closed = true;
        try {
            ask(
                    SessionRequest.newBuilder()
                            .setClose(
                                    CloseSession.newBuilder()
                                            .setRestart(restart)
                                            .setGraceMs(grace.map(Duration::toMillis).orElse(0L))));
        } catch (HeadUnavailable gone) {
            // Then its workers are gone as well, and nothing is left to free.
        } finally {
            abandon();
        }
    }

    /// Drops the stream as a killed client would.
    public void abandon() {
        closed = true;
        stream.end();
        board.close();
    }

    private void broken(Stream which, Status status) {
        if (closed || which != stream) {
            return;
        }
        Thread.ofPlatform().daemon().name("meshbook-head-relink").start(() -> relink(status));
    }

    private void relink(Status status) {
        long deadline = System.nanoTime() + RELINK.toNanos();
        var again = open.toBuilder().setToken(token()).build();
        var over = HeadCall.sentence(head, status);
        while (!closed && heads.lives() && System.nanoTime() - deadline < 0) {
            var fresh = new Stream();
            stream = fresh;
            try {
                opened = fresh.open(again);
                return;
            } catch (HeadUnavailable notYet) {
                pause();
            } catch (UsageError refused) {
                over = String.valueOf(refused.getMessage());
                break;
            }
        }
        if (!closed) {
            board.headGone(over);
        }
    }

    private static void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(RELINK_PAUSE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// One connection; ends for good when it breaks.
    private final class Stream implements StreamObserver<SessionReply> {
        private final ManagedChannel channel = HeadCall.channel(head);
        private final BlockingQueue<Object> answers = new ArrayBlockingQueue<>(4);
        private final StreamObserver<SessionRequest> requests;
        private volatile @Nullable Status end;
        private volatile boolean usable;

        Stream() {
            requests =
                    ClientCalls.asyncBidiStreamingCall(
                            channel.newCall(
                                    observing ? HeadMethods.OBSERVE : HeadMethods.SESSION,
                                    CallOptions.DEFAULT),
                            this);
        }

        SessionOpened open(OpenSession open) {
            requests.onNext(SessionRequest.newBuilder().setOpen(open).build());
            try {
                var answer = answer();
                if (answer instanceof SessionOpened yes) {
                    usable = true;
                    return yes;
                }
                throw new UsageError("%s", ((SessionDone) answer).getRefusal());
            } finally {
                if (!usable) {
                    channel.shutdownNow();
                }
            }
        }

        SessionDone ask(SessionRequest request) {
            var over = end;
            if (over != null) {
                throw HeadCall.failure(head, over);
            }
            requests.onNext(request);
            for (; ; ) {
                var answer = (SessionDone) answer();
                if (answer.getNumber() == request.getNumber()) {
                    return answer;
                }
            }
        }

        void end() {
            channel.shutdownNow();
        }

        private Object answer() {
            try {
                var answer = answers.poll(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
                if (answer == null) {
                    throw HeadCall.failure(head, Status.DEADLINE_EXCEEDED);
                }
                if (answer instanceof Status status) {
                    throw HeadCall.failure(head, status);
                }
                return answer;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new HeadUnavailable("interrupted while asking the head", e);
            }
        }

        @Override
        public void onNext(SessionReply reply) {
            switch (reply.getTellCase()) {
                case OPENED -> answers.add(reply.getOpened());
                case DONE -> answers.add(reply.getDone());
                case MEMBERSHIP -> board.post(reply.getMembership());
                case TELL_NOT_SET -> {
                    // A newer head may tell what this client does not know.
                }
            }
        }

        @Override
        public void onError(Throwable failure) {
            ended(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            ended(Status.UNAVAILABLE);
        }

        private void ended(Status status) {
            end = status;
            answers.offer(status);
            channel.shutdownNow();
            if (usable) {
                broken(this, status);
            }
        }
    }
}
