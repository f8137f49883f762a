package org.meshbook.elastic.slices.hosts;

import static org.meshbook.elastic.UsageError.require;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Mesh;
import org.meshbook.elastic.mesh.Sharding;

/// Which function runs on which hosts, with what; immutable, each method yields a changed copy.
///
/// @param function its class
/// @param arguments the same for every host
/// @param devices each host that owns one of them is called once
/// @param arrays placed arrays whose shards the hosts see
/// @param outputs arrays to be made; they lie on these devices only
/// @param lane calls of one lane run in order on each host; empty means the calling thread's own
public record HostCall(
        Class<? extends HostFunction> function,
        byte[] arguments,
        List<Device> devices,
        List<Array> arrays,
        List<Output> outputs,
        Optional<String> lane) {
    /// An array that the hosts make.
    ///
    /// @param type of the whole
    /// @param sharding where its shards lie
    public record Output(ArrayType type, Sharding sharding) {}

    /// @throws org.meshbook.elastic.UsageError if no device is given, or no object of the class can
    ///   be made
    public HostCall {
        devices = List.copyOf(devices);
        arrays = List.copyOf(arrays);
        outputs = List.copyOf(outputs);
        require(!devices.isEmpty(), "a call on no host; give the devices of a mesh");
        require(
                constructible(function),
                "%s cannot be made on a host; give it a constructor without parameters, and declare"
                        + " it static if it is a class within a class",
                function.getName());
        for (var output : outputs) {
            require(
                    devices.containsAll(output.sharding().mesh().devices()),
                    "output %s lies on devices that are not called; call those of its mesh",
                    output.type());
        }
    }

    /// @param function its class
    /// @param mesh whose hosts are called
    /// @return the call, without arguments
    public static HostCall of(Class<? extends HostFunction> function, Mesh mesh) {
        return of(function, mesh.devices());
    }

    /// @param function its class
    /// @param devices each host that owns one of them is called once
    /// @return the call, without arguments
    public static HostCall of(Class<? extends HostFunction> function, List<Device> devices) {
        return new HostCall(function, new byte[0], devices, List.of(), List.of(), Optional.empty());
    }

    /// @param bytes the same for every host
    /// @return the changed copy
    public HostCall arguments(byte[] bytes) {
        return new HostCall(function, bytes, devices, arrays, outputs, lane);
    }

    /// @param placed arrays whose shards the hosts see; those that lie elsewhere have none there
    /// @return the changed copy
    public HostCall with(List<? extends Array> placed) {
        return new HostCall(function, arguments, devices, List.copyOf(placed), outputs, lane);
    }

    /// @param made arrays to be made
    /// @return the changed copy
    public HostCall making(List<Output> made) {
        return new HostCall(function, arguments, devices, arrays, made, lane);
    }

    /// @param name calls of one lane run in order on each host
    /// @return the changed copy
    public HostCall lane(String name) {
        return new HostCall(function, arguments, devices, arrays, outputs, Optional.of(name));
    }

    /// @return name of the lane, that of the calling thread if none is given
    public String laneName() {
        return lane.orElseGet(() -> "thread " + Thread.currentThread().threadId());
    }

    private static boolean constructible(Class<?> type) {
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return false;
        }
        for (var constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 0) {
                return true;
            }
        }
        return false;
    }
}
