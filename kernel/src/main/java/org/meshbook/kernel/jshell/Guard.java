package org.meshbook.kernel.jshell;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Scope;

/// What the weaver calls from the classes of cells: the stop check at loop edges and method
/// entries, and what stands in for calls that would end the process.
///
/// Public only because cells' classes live in another package.
public final class Guard {
    /// A cell that can be stopped; its [Scope] implements this.
    public interface Stoppable {
        /// @return whether the calling thread must leave the cell's code
        boolean stops();

        /// @param snippet JShell's number of one
        /// @return whether the cell evaluated it
        boolean ran(String snippet);

        /// @return whether no thread of it needs to be stopped any more
        boolean isOver();
    }

    /// Asked by `Runtime` itself before the process ends, with the exit status; throws if the
    /// calling thread is a cell's. See [ExitTrap].
    public static final IntConsumer LEAVING = Guard::leaving;

    private static final Set<Stoppable> STOPPED = ConcurrentHashMap.newKeySet();
    private static volatile boolean raised;

    private Guard() {}

    /// Makes every check ask its cell from now on.
    ///
    /// @param cell one that was just stopped
    public static synchronized void raise(Stoppable cell) {
        STOPPED.add(cell);
        raised = true;
    }

    /// Makes the checks free again if no stopped cell has a thread left.
    public static synchronized void sweep() {
        if (raised) {
            STOPPED.removeIf(Stoppable::isOver);
            raised = !STOPPED.isEmpty();
        }
    }

    /// @throws CellStopped if the calling thread's cell was interrupted
    public static void check() {
        if (raised && mustLeave()) {
            throw CellStopped.now();
        }
    }

    private static boolean mustLeave() {
        var own = CurrentScope.inherited();
        if (own != null) {
            return stops(own);
        }
        // A worker of the common pool serves every cell: its stack tells whose code it runs.
        var snippets = StackWalker.getInstance().walk(Guard::snippets);
        var owner = STOPPED.stream().filter(cell -> snippets.stream().anyMatch(cell::ran));
        return owner.findAny().map(Stoppable::stops).orElseGet(Guard::latestStops);
    }

    private static Set<String> snippets(Stream<StackWalker.StackFrame> frames) {
        return frames.map(StackWalker.StackFrame::getClassName)
                .filter(CellControl::isCellClass)
                .map(KeptVariables::index)
                .collect(Collectors.toSet());
    }

    private static boolean latestStops() {
        var latest = CurrentScope.find();
        return latest != null && stops(latest);
    }

    /// What acts for a cell may end before the cell does.
    private static boolean stops(Scope scope) {
        var own = scope instanceof Stoppable ? scope : scope.cell();
        return own instanceof Stoppable stoppable && stoppable.stops();
    }

    private static void leaving(int code) {
        if (CurrentScope.inherited() != null) {
            throw new ExitTrapped("System.exit", code);
        }
    }

    /// @param code the exit status
    public static void exit(int code) {
        throw new ExitTrapped("System.exit", code);
    }

    /// @param runtime the process
    /// @param code the exit status
    public static void exit(Runtime runtime, int code) {
        throw new ExitTrapped("Runtime.exit", code);
    }

    /// @param runtime the process
    /// @param code the exit status
    public static void halt(Runtime runtime, int code) {
        throw new ExitTrapped("Runtime.halt", code);
    }
}
