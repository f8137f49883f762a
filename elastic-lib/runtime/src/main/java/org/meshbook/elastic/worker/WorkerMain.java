package org.meshbook.elastic.worker;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.wire.proto.WorkerAssignment;
import sun.misc.Signal;

/// A worker's process: reads its assignment from its standard input, serves, and dies with its
/// head.
///
/// Assignment → server → registration → heartbeats. Its standard output and error are a log that
/// the head keeps; why it cannot start is the last line there.
public final class WorkerMain {
    private static final System.Logger LOG = System.getLogger(WorkerMain.class.getName());

    private WorkerMain() {}

    /// @param args none
    public static void main(String[] args) {
        System.setProperty(
                "java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
        int code = 0;
        try {
            run();
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

    private static void run() throws IOException, InterruptedException {
        // 1. Hear what to do; from here on the end of the input is the end of the head.
        var assignment = WorkerAssignment.parseDelimitedFrom(System.in);
        if (assignment == null) {
            return;
        }
        Tether.toHead(System.in);
        // 2. Connect while the server starts.
        var enrollment = Enrollment.connect(assignment);
        try (var server = WorkerServer.start(config(assignment))) {
            server.suspendInto(Path.of(assignment.getImage()), enrollment::imaged);
            if (!assignment.getResume().isEmpty()) {
                server.resume(Path.of(assignment.getResume()));
            }
            // 3. Register, and tell the head if somebody asks this process to end: SIGTERM leaves
            // it a
            // while to serve on, which a shutdown hook would not, since engines end in one.
            enrollment.hello(server);
            Signal.handle(new Signal("TERM"), _ -> enrollment.announce());
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(enrollment::leave, "meshbook-worker-leave"));
            LOG.log(Level.INFO, "worker slice={0} is there", assignment.getSlice());
            // 4. Beat until the head is done with this worker.
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
