package org.meshbook.elastic.engine.xla;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.meshbook.elastic.UsageError;

/// XLA at work in this process: a plugin's client with its first device.
///
/// One client for each number of threads; none is ever closed, because XLA's threads go on.
/// Thread-safe.
final class Client {
    /// StableHLO as text, as MLIR's bytecode or as a portable artifact: XLA sees which.
    private static final String FORMAT = "mlir";

    private static final String CPU = "cpu";
    private static final Map<Integer, Client> CLIENTS = new HashMap<>();

    private final Plugin plugin;
    private final Api api;
    private final MemorySegment client;
    private final MemorySegment device;
    private final String platform;
    private final String version;

    private Client(Plugin plugin, Api api, MemorySegment client) throws PjrtFailure {
        this.plugin = plugin;
        this.api = api;
        this.client = client;
        this.platform = word(Entry.CLIENT_PLATFORM_NAME);
        this.version = word(Entry.CLIENT_PLATFORM_VERSION);
        try (var arena = Arena.ofConfined()) {
            var devices = Structs.of(arena, Structs.TWO_RESULTS, client);
            api.call(Entry.CLIENT_ADDRESSABLE_DEVICES, devices);
            UsageError.require(
                    devices.get(JAVA_LONG, Structs.RESULT_COUNT) > 0,
                    "'%s' finds no device on this machine; take engine 'onnx'",
                    plugin.library());
            this.device =
                    devices.get(ADDRESS, Structs.RESULT)
                            .reinterpret(ADDRESS.byteSize())
                            .get(ADDRESS, 0);
        }
    }

    /// Yields this process's client with so many threads; makes it at the first call.
    ///
    /// @param threads threads that computations use
    /// @throws UsageError if there is no plugin, or none of its devices
    static Client of(int threads) {
        synchronized (CLIENTS) {
            var known = CLIENTS.get(threads);
            if (known != null) {
                return known;
            }
            var made = create(Plugin.require(), threads);
            CLIENTS.put(threads, made);
            return made;
        }
    }

    private static Client create(Plugin plugin, int threads) {
        // 1. What XLA reads from the environment: silence, its pool of threads, and no flags, of
        // which an unknown one would end the process
        Environment.set("TF_CPP_MIN_LOG_LEVEL", "3");
        Environment.set("PJRT_NPROC", Integer.toString(threads));
        Environment.set("XLA_FLAGS", System.getenv().getOrDefault("MESHBOOK_XLA_FLAGS", ""));
        // 2. The library  3. The client
        var api = Api.load(plugin.library());
        try (var arena = Arena.ofConfined()) {
            api.call(Entry.PLUGIN_INITIALIZE, Structs.of(arena, Structs.INITIALIZE));
            return new Client(plugin, api, create(api, arena));
        } catch (PjrtFailure e) {
            throw new UsageError(
                    "'%s' (%s) cannot begin on this machine: %s",
                    plugin.library(), plugin.from(), e.firstLine());
        }
    }

    /// The pool has as many threads as the larger of devices and `PJRT_NPROC`, so that one thread
    /// needs one device. Runs happen on the calling thread, which waits for them anyway. Plugins
    /// for other hardware know neither option and say so.
    private static MemorySegment create(Api api, Arena arena) throws PjrtFailure {
        var options = arena.allocate(2 * Structs.NamedValue.BYTES, Long.BYTES);
        var devices = option(options, 0, "cpu_device_count", Structs.NamedValue.INT64, arena);
        devices.set(JAVA_LONG, Structs.NamedValue.VALUE, 1);
        var wait = option(options, 1, "asynchronous", Structs.NamedValue.BOOL, arena);
        wait.set(JAVA_BYTE, Structs.NamedValue.VALUE, (byte) 0);
        var arguments = Structs.of(arena, Structs.Create.BYTES);
        arguments.set(ADDRESS, Structs.Create.OPTIONS, options);
        arguments.set(JAVA_LONG, Structs.Create.OPTION_COUNT, 2);
        try {
            api.call(Entry.CLIENT_CREATE, arguments);
        } catch (PjrtFailure e) {
            if (e.code() != PjrtFailure.INVALID_ARGUMENT) {
                throw e;
            }
            arguments.set(JAVA_LONG, Structs.Create.OPTION_COUNT, 0);
            api.call(Entry.CLIENT_CREATE, arguments);
        }
        return arguments.get(ADDRESS, Structs.Create.CLIENT);
    }

    private static MemorySegment option(
            MemorySegment options, int place, String name, int kind, Arena arena) {
        var option = options.asSlice(place * Structs.NamedValue.BYTES, Structs.NamedValue.BYTES);
        option.set(JAVA_LONG, 0, Structs.NamedValue.BYTES);
        option.set(ADDRESS, Structs.NamedValue.NAME, arena.allocateFrom(name));
        option.set(JAVA_LONG, Structs.NamedValue.NAME_LENGTH, name.length());
        option.set(JAVA_INT, Structs.NamedValue.KIND, kind);
        option.set(JAVA_LONG, Structs.NamedValue.VALUE_COUNT, 1);
        return option;
    }

    private String word(Entry entry) throws PjrtFailure {
        try (var arena = Arena.ofConfined()) {
            var arguments = Structs.of(arena, Structs.TWO_RESULTS, client);
            api.call(entry, arguments);
            return Structs.text(
                    arguments.get(ADDRESS, Structs.RESULT),
                    arguments.get(JAVA_LONG, Structs.RESULT_COUNT));
        }
    }

    Plugin plugin() {
        return plugin;
    }

    Api api() {
        return api;
    }

    /// @return the kind of device, as `cpu` or `cuda`
    String platform() {
        return platform;
    }

    /// @return of the platform, in the plugin's words
    String version() {
        return version;
    }

    /// @return whether a device's memory is this process's
    boolean sharesMemory() {
        return platform.equals(CPU);
    }

    MemorySegment handle() {
        return client;
    }

    MemorySegment device() {
        return device;
    }

    /// Compiles a module for one device.
    ///
    /// @param module StableHLO in any of its forms
    /// @throws PjrtFailure if it is wrong, or something in it is not there; names line and column
    NativeProgram compile(byte[] module) throws PjrtFailure {
        try (var arena = Arena.ofConfined()) {
            var program = Structs.of(arena, Structs.Program.BYTES);
            program.set(ADDRESS, Structs.Program.CODE, arena.allocateFrom(JAVA_BYTE, module));
            program.set(JAVA_LONG, Structs.Program.CODE_LENGTH, module.length);
            var format = FORMAT.getBytes(StandardCharsets.UTF_8);
            program.set(ADDRESS, Structs.Program.FORMAT, arena.allocateFrom(JAVA_BYTE, format));
            program.set(JAVA_LONG, Structs.Program.FORMAT_LENGTH, format.length);
            var arguments = Structs.of(arena, Structs.Compile.BYTES, client);
            arguments.set(ADDRESS, Structs.Compile.PROGRAM, program);
            var options = CompileOptions.oneDevice();
            arguments.set(ADDRESS, Structs.Compile.OPTIONS, arena.allocateFrom(JAVA_BYTE, options));
            arguments.set(JAVA_LONG, Structs.Compile.OPTIONS_LENGTH, options.length);
            api.call(Entry.CLIENT_COMPILE, arguments);
            return NativeProgram.of(this, arguments.get(ADDRESS, Structs.Compile.EXECUTABLE));
        }
    }

    /// Loads what [NativeProgram#save] has made, by the same plugin on the same kind of processor.
    NativeProgram load(byte[] saved) throws PjrtFailure {
        try (var arena = Arena.ofConfined()) {
            var arguments = Structs.of(arena, Structs.Deserialize.BYTES, client);
            arguments.set(ADDRESS, Structs.Deserialize.SAVED, arena.allocateFrom(JAVA_BYTE, saved));
            arguments.set(JAVA_LONG, Structs.Deserialize.SAVED_LENGTH, saved.length);
            api.call(Entry.EXECUTABLE_DESERIALIZE_AND_LOAD, arguments);
            return NativeProgram.of(this, arguments.get(ADDRESS, Structs.Deserialize.EXECUTABLE));
        }
    }
}
