package org.meshbook.elastic.engine.xla;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.meshbook.elastic.UsageError;

/// A loaded plugin: its version and its table of functions.
///
/// All functions have one shape, a pointer to an argument struct that yields an error or null, so
/// that one handle calls them all. Never unloaded: XLA's threads go on. Thread-safe.
final class Api {
    private static final String SYMBOL = "GetPjrtApi";
    private static final long MAJOR = 32;
    private static final long MINOR = 36;
    private static final long HEADER = 40;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle GET = LINKER.downcallHandle(FunctionDescriptor.of(ADDRESS));
    private static final MethodHandle CALL =
            LINKER.downcallHandle(FunctionDescriptor.of(ADDRESS, ADDRESS));
    private static final MethodHandle VOID_CALL =
            LINKER.downcallHandle(FunctionDescriptor.ofVoid(ADDRESS));

    private final MemorySegment[] functions = new MemorySegment[Entry.values().length];
    private final String version;

    private Api(MemorySegment table, Path library) {
        var header = table.reinterpret(HEADER);
        long bytes = header.get(JAVA_LONG, 0);
        int major = header.get(JAVA_INT, MAJOR);
        this.version = major + "." + header.get(JAVA_INT, MINOR);
        var whole = table.reinterpret(bytes);
        for (var entry : Entry.values()) {
            var function =
                    entry.offset() + ADDRESS.byteSize() <= bytes
                            ? whole.get(ADDRESS, entry.offset())
                            : MemorySegment.NULL;
            UsageError.require(
                    major == 0 && function.address() != 0,
                    "'%s' speaks version %s of the PJRT API and lacks %s; take a plugin of version"
                            + " 0.57 or newer",
                    library,
                    version,
                    entry);
            functions[entry.ordinal()] = function;
        }
    }

    /// Loads a plugin into this process.
    ///
    /// @param library its file
    /// @throws UsageError if it cannot be loaded, or is no plugin
    static Api load(Path library) {
        try {
            var found = SymbolLookup.libraryLookup(library, Arena.global()).find(SYMBOL);
            UsageError.require(
                    found.isPresent(),
                    "'%s' is a library and no PJRT plugin: it has no %s",
                    library,
                    SYMBOL);
            return new Api((MemorySegment) GET.invokeExact(found.orElseThrow()), library);
        } catch (IllegalArgumentException e) {
            throw new UsageError(
                    "'%s' cannot be loaded: %s", library, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("native calls throw nothing", e);
        }
    }

    /// @return of the PJRT API, as `0.115`
    String version() {
        return version;
    }

    /// Calls one function.
    ///
    /// @param entry which
    /// @param arguments its argument struct
    /// @throws PjrtFailure what the plugin answered
    void call(Entry entry, MemorySegment arguments) throws PjrtFailure {
        var error = invoke(entry, arguments);
        if (error.address() != 0) {
            throw failure(error);
        }
    }

    /// Frees one of the plugin's objects, which cannot fail.
    void destroy(Entry entry, MemorySegment object) {
        try (var arena = Arena.ofConfined()) {
            call(entry, Structs.of(arena, Structs.OBJECT_ONLY, object));
        } catch (PjrtFailure e) {
            throw new IllegalStateException(entry + ": " + e.getMessage(), e);
        }
    }

    /// Waits for an event and frees it.
    void await(MemorySegment event) throws PjrtFailure {
        try (var arena = Arena.ofConfined()) {
            call(Entry.EVENT_AWAIT, Structs.of(arena, Structs.OBJECT_ONLY, event));
        } finally {
            destroy(Entry.EVENT_DESTROY, event);
        }
    }

    /// Calls a function of the shape `void(void*)`, as those about errors and the deleters are.
    static void callBack(MemorySegment function, MemorySegment argument) {
        try {
            VOID_CALL.invokeExact(function, argument);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("native calls throw nothing", e);
        }
    }

    /// @return facts that the plugin tells of itself, as `stablehlo_current_version`
    Map<String, String> attributes(SegmentAllocator memory) throws PjrtFailure {
        var arguments = Structs.of(memory, Structs.Attributes.BYTES);
        call(Entry.PLUGIN_ATTRIBUTES, arguments);
        long count = arguments.get(JAVA_LONG, Structs.Attributes.COUNT);
        var values =
                arguments
                        .get(ADDRESS, Structs.Attributes.VALUES)
                        .reinterpret(count * Structs.NamedValue.BYTES);
        var facts = new TreeMap<String, String>();
        for (long i = 0; i < count; i++) {
            var value = values.asSlice(i * Structs.NamedValue.BYTES, Structs.NamedValue.BYTES);
            facts.put(
                    Structs.text(
                            value.get(ADDRESS, Structs.NamedValue.NAME),
                            value.get(JAVA_LONG, Structs.NamedValue.NAME_LENGTH)),
                    text(value));
        }
        return facts;
    }

    private static String text(MemorySegment value) {
        long count = value.get(JAVA_LONG, Structs.NamedValue.VALUE_COUNT);
        return switch (value.get(JAVA_INT, Structs.NamedValue.KIND)) {
            case Structs.NamedValue.STRING ->
                    Structs.text(value.get(ADDRESS, Structs.NamedValue.VALUE), count);
            case Structs.NamedValue.INT64 ->
                    Long.toString(value.get(JAVA_LONG, Structs.NamedValue.VALUE));
            case Structs.NamedValue.INT64_LIST ->
                    dotted(value.get(ADDRESS, Structs.NamedValue.VALUE), count);
            case Structs.NamedValue.BOOL ->
                    Boolean.toString(value.get(JAVA_BYTE, Structs.NamedValue.VALUE) != 0);
            default -> "?";
        };
    }

    private static String dotted(MemorySegment numbers, long count) {
        var text = new StringBuilder();
        for (long number : numbers.reinterpret(count * Long.BYTES).toArray(JAVA_LONG)) {
            text.append(text.isEmpty() ? "" : ".").append(number);
        }
        return text.toString();
    }

    private MemorySegment invoke(Entry entry, MemorySegment arguments) {
        try {
            return (MemorySegment) CALL.invokeExact(functions[entry.ordinal()], arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("native calls throw nothing", e);
        }
    }

    private PjrtFailure failure(MemorySegment error) {
        try (var arena = Arena.ofConfined()) {
            var message = Structs.of(arena, Structs.TWO_RESULTS, error);
            callBack(functions[Entry.ERROR_MESSAGE.ordinal()], message);
            var code = Structs.of(arena, Structs.ERROR_CODE, error);
            invoke(Entry.ERROR_CODE, code);
            var failure =
                    new PjrtFailure(
                            code.get(JAVA_INT, Structs.RESULT),
                            Structs.text(
                                    message.get(ADDRESS, Structs.RESULT),
                                    message.get(JAVA_LONG, Structs.RESULT_COUNT)));
            callBack(
                    functions[Entry.ERROR_DESTROY.ordinal()],
                    Structs.of(arena, Structs.OBJECT_ONLY, error));
            return failure;
        }
    }
}
