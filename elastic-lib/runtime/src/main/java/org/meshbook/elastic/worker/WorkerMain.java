package org.meshbook.elastic.worker;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.wire.proto.WorkerAssignment;
import sun.misc.Signal;

/// A worker's process: reads its assignment from its standard input, or asks the head for it,
/// serves, and dies with its head.
///
/// Assignment → server → registration → heartbeats. Its standard output and error are a log that
/// the head keeps; why it cannot start is the last line there.
public final class WorkerMain {
    /// Argument of a worker that the head did not start.
    public static final String POD = "pod";

    private static final System.Logger LOG = System.getLogger(WorkerMain.class.getName());

    /// What a pod's worker says of itself when it was asked to end, as shells say it of SIGTERM: a
    /// job must not count it as done.
    private static final int TERMINATED = 143;

    private WorkerMain() {}

    /// @param args none for a worker that the head starts; [#POD] for one that somebody else does
    public static void main(String[] args) {
        System.setProperty(
                "java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
        int code = 0;
        try {
            code = args.length > 0 && args[0].equals(POD) ? ask() : run();
        } catch (ElasticException | IOException e) {
            // Standard error is the log, and its last line is what the head tells the user.
            System.err.println(e.getMessage());
            code = 1;
        } catch (InterruptedException e) {
            System.err.println("interrupted");
            code = 1;
        }
        System.exit(code);
    }

    private static int run() throws IOException, InterruptedException {
        // Hear what to do; from here on the end of the input is the end of the head.
        var assignment = WorkerAssignment.parseDelimitedFrom(System.in);
        if (assignment != null) {
            Tether.toHead(System.in);
            serve(Enrollment.connect(assignment), assignment);
        }
        return 0;
    }

    /// Whoever started this process ends it when the head's process ends.
    private static int ask() throws IOException, InterruptedException {
        var pod = Pod.ofEnvironment();
        var enrollment = Enrollment.connect(pod.head().port());
        var assignment = enrollment.ask(pod.question());
        if (assignment.isEmpty()) {
            return 0;
        }
        serve(enrollment, assignment.get());
        return enrollment.isAnnounced() ? TERMINATED : 0;
    }

    private static void serve(Enrollment enrollment, WorkerAssignment assignment)
            throws IOException, InterruptedException {
        // 1. The engine and its ports
        try (var server = WorkerServer.start(config(assignment))) {
            server.suspendInto(Path.of(assignment.getImage()), enrollment::imaged);
            if (!assignment.getResume().isEmpty()) {
                server.resume(Path.of(assignment.getResume()));
            }
            // 2. Register, and tell the head if somebody asks this process to end: SIGTERM leaves
            // it a
            // while to serve on, which a shutdown hook would not, since engines end in one.
            enrollment.hello(server);
            Signal.handle(new Signal("TERM"), _ -> enrollment.announce());
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(enrollment::leave, "meshbook-worker-leave"));
            LOG.log(Level.INFO, "worker slice={0} is there", assignment.getSlice());
            // 3. Beat until the head is done with this worker.
            enrollment.beat(server);
        }
    }

    private static WorkerConfig config(WorkerAssignment assignment) {
        return new WorkerConfig(
                assignment.getSession(),
                assignment.getSlice(),
                assignment.getGeneration(),
                assignment.getHost(),
                assignment.getDevices(),
                assignment.getFirstDevice(),
                assignment.getEngine(),
                assignment.getThreads(),
                assignment.getToken(),
                assignment.getObserverToken());
    }
}
