package org.meshbook.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The map of the project: every room, and the rooms that it may import.
///
/// An arrow carries further: who may import `graph` may import what `graph` may. Rooms are packages
/// without the prefix `org.meshbook.`; a sub-package belongs to the nearest room above it.
final class Rooms {
    static final String PREFIX = "org.meshbook.";

    /// All production classes, read once.
    static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("org.meshbook");

    private static final String FRONT = "elastic";

    private static final Map<String, List<String>> ARROWS = arrows();

    private Rooms() {}

    private static Map<String, List<String>> arrows() {
        var map = new LinkedHashMap<String, List<String>>();
        kernel(map);
        runtime(map);
        cluster(map);
        map.put(
                "magics",
                List.of(
                        "kernel.spi",
                        "kernel.display",
                        "kernel.maven",
                        "cluster.kubernetes",
                        "cluster.outlook",
                        "cluster.print",
                        "cluster.metrics",
                        "cluster.lint"));
        runtimeRooms(map).forEach(room -> map.merge("magics", List.of(room), Rooms::join));
        // doctor looks for the kernel where install puts it.
        map.put("magics.cli", List.of("magics", "kernel.install"));
        // bench queue lets controllers work on a store in its own process.
        map.put("bench", List.of("magics", "cluster.local"));
        return map;
    }

    private static void kernel(Map<String, List<String>> map) {
        map.put("kernel.spi", List.of());
        map.put("kernel.maven", List.of("kernel.spi"));
        map.put("kernel.maven.aether", List.of("kernel.maven"));
        map.put("kernel.protocol", List.of());
        map.put("kernel.wire", List.of("kernel.protocol"));
        map.put("kernel.display", List.of("kernel.spi", "kernel.config"));
        map.put("kernel.widgets", List.of("kernel.spi", "kernel.display"));
        map.put("kernel.jshell", List.of("kernel.spi", "kernel.display"));
        map.put("kernel.config", List.of("kernel.spi"));
        map.put(
                "kernel.failure",
                List.of("kernel.spi", "kernel.config", "kernel.display", "kernel.jshell"));
        map.put("kernel.threads", List.of("kernel.spi", "kernel.failure"));
        map.put("kernel.cell", List.of("kernel.spi", "kernel.config", "kernel.threads"));
        map.put("kernel.history", List.of());
        map.put("kernel.usage", List.of());
        map.put("kernel.comm", List.of("kernel.protocol", "kernel.display"));
        map.put(
                "kernel.session",
                List.of(
                        "kernel.cell",
                        "kernel.wire",
                        "kernel.comm",
                        "kernel.history",
                        "kernel.usage"));
        map.put("kernel.console", List.of("kernel.cell", "kernel.history"));
        map.put("kernel.notebook", List.of("kernel.cell"));
        map.put("kernel.embed", List.of("kernel.cell"));
        map.put("kernel.client", List.of("kernel.wire"));
        map.put("kernel.install", List.of("kernel.spi", "kernel.client"));
        map.put(
                "kernel.app",
                List.of(
                        "kernel.session",
                        "kernel.console",
                        "kernel.notebook",
                        "kernel.install",
                        "kernel.embed"));
    }

    private static void runtime(Map<String, List<String>> map) {
        map.put(FRONT, List.of());
        map.put("elastic.mesh", List.of(FRONT));
        map.put("elastic.array", List.of("elastic.mesh"));
        map.put("elastic.graph", List.of("elastic.array"));
        map.put("elastic.collective", List.of("elastic.graph"));
        map.put("elastic.jit.trace", List.of("elastic.collective"));
        map.put("elastic.jit.reverse", List.of("elastic.jit.trace"));
        map.put("elastic.jit.forward", List.of("elastic.jit.reverse"));
        map.put("elastic.jit.batch", List.of("elastic.jit.trace"));
        map.put("elastic.jit", List.of("elastic.jit.forward", "elastic.jit.batch"));
        map.put("elastic.engine", List.of("elastic.graph"));
        map.put("elastic.engine.reference", List.of("elastic.engine"));
        map.put("elastic.engine.onnx", List.of("elastic.engine"));
        map.put("elastic.engine.xla", List.of("elastic.engine"));
        map.put("elastic.slices.index", List.of(FRONT));
        map.put("elastic.slices", List.of("elastic.mesh", "elastic.array", "elastic.slices.index"));
        map.put("elastic.slices.axis", List.of("elastic.slices"));
        map.put("elastic.wire", List.of("elastic.graph", "elastic.slices"));
        map.put("elastic.wire.tree", List.of("elastic.wire"));
        map.put("elastic.transport", List.of("elastic.array"));
        map.put("elastic.store", List.of("elastic.transport"));
        map.put("elastic.worker", List.of("elastic.wire", "elastic.engine", "elastic.store"));
        map.put("elastic.head", List.of("elastic.wire", "elastic.slices"));
        map.put(
                "elastic.controller",
                List.of("elastic.wire", "elastic.transport", "elastic.jit", "elastic.slices"));
        map.put("elastic.controller.link", List.of("elastic.controller"));
        map.put("elastic.controller.session", List.of("elastic.controller.link"));
        map.put("elastic.manager", List.of("elastic.slices", "elastic.array"));
        map.put(
                "elastic.checkpoint",
                List.of("elastic.slices", "elastic.array", "elastic.manager"));
        map.put(
                "elastic.chaos.inside",
                List.of("elastic.slices", "elastic.transport", "elastic.checkpoint"));
        map.put(
                "elastic.chaos",
                List.of(
                        "elastic.slices",
                        "elastic.manager",
                        "elastic.checkpoint",
                        "elastic.chaos.inside"));
        map.put("elastic.optim", List.of("elastic.array"));
        map.put("elastic.nn", List.of("elastic.array"));
        map.put("elastic.formats", List.of("elastic.array"));
        map.put("elastic.random", List.of("elastic.array"));
        map.put(
                "elastic.names",
                List.of(
                        "elastic.slices",
                        "elastic.array",
                        "elastic.checkpoint",
                        "elastic.wire.tree"));
        map.put("elastic.data.source", List.of("elastic.array"));
        map.put("elastic.data.stream", List.of("elastic.array"));
        map.put("elastic.data", List.of("elastic.slices", "elastic.array", "elastic.data.source"));
        map.put("elastic.train", List.of("elastic.manager", "elastic.checkpoint", "elastic.data"));
        map.put("elastic.sim", List.of("elastic.slices"));
    }

    private static void cluster(Map<String, List<String>> map) {
        map.put("cluster", List.of());
        map.put("cluster.manifest", List.of("cluster"));
        map.put("cluster.schema", List.of("cluster.manifest"));
        map.put("cluster.queue", List.of("cluster"));
        map.put("cluster.lint", List.of("cluster.schema", "cluster.queue"));
        map.put("cluster.kubernetes", List.of("cluster.manifest"));
        map.put("cluster.control", List.of("cluster"));
        map.put("cluster.metrics", List.of("cluster"));
        map.put("cluster.store", List.of("cluster"));
        map.put("cluster.print", List.of("cluster.schema", "cluster.manifest"));
        map.put("cluster.http", List.of());
        map.put("cluster.rest", List.of("cluster.print", "cluster.http"));
        map.put("cluster.kueue", List.of("cluster.control", "cluster.queue"));
        map.put("cluster.kueue.config", List.of("cluster.kueue", "cluster.manifest"));
        map.put("cluster.outlook", List.of("cluster.kueue", "cluster.print"));
        map.put("cluster.jobs", List.of("cluster.control"));
        map.put("cluster.nodes", List.of("cluster.control"));
        map.put("cluster.embedded", List.of("cluster.schema", "cluster.store"));
        map.put(
                "cluster.local",
                List.of(
                        "cluster.embedded",
                        "cluster.kueue.config",
                        "cluster.jobs",
                        "cluster.nodes",
                        "cluster.rest",
                        "cluster.metrics",
                        "elastic.slices"));
    }

    private static List<String> runtimeRooms(Map<String, List<String>> map) {
        return map.keySet().stream().filter(room -> room.startsWith(FRONT)).toList();
    }

    private static List<String> join(List<String> left, List<String> right) {
        return Stream.concat(left.stream(), right.stream()).toList();
    }

    /// @return names of all rooms
    static Set<String> names() {
        return ARROWS.keySet();
    }

    /// @param room a room
    /// @return the rooms that it may import, itself included
    static Set<String> reachable(String room) {
        var reached = new TreeSet<String>();
        reach(room, reached);
        return reached;
    }

    private static void reach(String room, Set<String> reached) {
        if (reached.add(room)) {
            ARROWS.getOrDefault(room, List.of()).forEach(next -> reach(next, reached));
        }
    }

    /// @param type one of our classes
    /// @return its room, or the package's name if it is in none
    static String of(JavaClass type) {
        var name = type.getPackageName().substring(PREFIX.length());
        for (var room = name; !room.isEmpty(); room = above(room)) {
            // The front room is only itself: elastic.new is no part of elastic.
            if (ARROWS.containsKey(room) && (!room.equals(FRONT) || name.equals(FRONT))) {
                return room;
            }
        }
        return name;
    }

    private static String above(String room) {
        return room.contains(".") ? room.substring(0, room.lastIndexOf('.')) : "";
    }

    /// @param type any class
    /// @return whether it is one of ours
    static boolean ours(JavaClass type) {
        return type.getPackageName().startsWith(PREFIX);
    }
}
