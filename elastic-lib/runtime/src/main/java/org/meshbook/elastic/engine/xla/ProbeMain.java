package org.meshbook.elastic.engine.xla;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.TreeMap;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.graph.Graph;
import org.meshbook.elastic.graph.Node;

/// A process that tries the plugin and tells of it, for [PluginProbe]: facts as `name=value`, or
/// why it cannot as the last line on standard error.
public final class ProbeMain {
    private ProbeMain() {}

    /// @param arguments none
    public static void main(String[] arguments) {
        try (var arena = Arena.ofConfined()) {
            var client = Client.of(1);
            var facts = new TreeMap<>(client.api().attributes(arena));
            facts.put(PluginProbe.API, client.api().version());
            facts.put(PluginProbe.PLATFORM, client.platform());
            facts.put(PluginProbe.SUM, Double.toString(sum()));
            facts.forEach((name, value) -> System.out.println(name + "=" + value));
            System.exit(0);
        } catch (ElasticException e) {
            System.err.println(e.getMessage());
        } catch (PjrtFailure e) {
            System.err.println(e.firstLine());
        }
        System.exit(1);
    }

    /// Adds two numbers on the device.
    private static double sum() {
        var type = ArrayType.of(DType.F32);
        var add = new Node(new Op.Binary(Op.BinaryKind.ADD), List.of(0, 1), type);
        var graph = new Graph("probe", List.of(type, type), List.of(add), List.of(2));
        try (var program = new XlaEngine().compile(graph, 1)) {
            return program.run(List.of(scalar(20), scalar(22))).getFirst().get(0);
        }
    }

    private static HostArray scalar(float value) {
        var array = HostArray.zeros(ArrayType.of(DType.F32));
        array.bytes().putFloat(0, value);
        return array;
    }
}
