package org.meshbook.elastic.array.shard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.mesh.Device;
import org.meshbook.elastic.mesh.Sharding;

/// Which device holds which part of an array, as a picture; prints as text.
///
/// Rows are the pieces of the first dimension that is cut, columns those of all others; pieces of
/// the last dimension are always columns. Source: JAX's `visualize_array_sharding`.
///
/// @param type of the whole array
/// @param sharding how it is cut
/// @param lost slices that are lost, and their parts with them
public record ShardPicture(ArrayType type, Sharding sharding, Set<Integer> lost) {
    private static final int SLICES_SHOWN = 4;

    public ShardPicture {
        lost = Set.copyOf(lost);
    }

    /// A part and who holds it.
    ///
    /// @param region the part
    /// @param devices each holds all of it
    public record Cell(Region region, List<Device> devices) {
        public Cell {
            devices = List.copyOf(devices);
        }

        /// @return as `[0:4, 8:16]`: first index and the one after the last, a dimension
        public String range() {
            return IntStream.range(0, region.start().size())
                    .mapToObj(i -> region.start().get(i) + ":" + end(i))
                    .collect(Collectors.joining(", ", "[", "]"));
        }

        private int end(int dim) {
            return region.start().get(dim) + region.size().get(dim);
        }

        /// @return the devices' ids by slice
        public Map<Integer, List<Integer>> bySlice() {
            var slices = new TreeMap<Integer, List<Integer>>();
            for (var device : devices) {
                slices.computeIfAbsent(device.slice(), _ -> new ArrayList<>()).add(device.id());
            }
            return slices;
        }
    }

    /// @return the parts, row by row
    public List<List<Cell>> rows() {
        var map = ShardMap.of(type, sharding);
        int down = down();
        var rows = new LinkedHashMap<Integer, List<Cell>>();
        var sorted = new ArrayList<>(map.regions().entrySet());
        sorted.sort((a, b) -> compare(a.getKey().start(), b.getKey().start()));
        for (var part : sorted) {
            int row = down < 0 ? 0 : part.getKey().start().get(down);
            rows.computeIfAbsent(row, _ -> new ArrayList<>())
                    .add(new Cell(part.getKey(), part.getValue()));
        }
        return List.copyOf(rows.values());
    }

    /// The dimension whose pieces are rows; -1 if there is one row.
    private int down() {
        return IntStream.range(0, type.shape().rank() - 1)
                .filter(dim -> sharding.pieces(dim) > 1)
                .findFirst()
                .orElse(-1);
    }

    private static int compare(List<Integer> a, List<Integer> b) {
        for (int i = 0; i < a.size(); i++) {
            if (!a.get(i).equals(b.get(i))) {
                return Integer.compare(a.get(i), b.get(i));
            }
        }
        return 0;
    }

    /// @return type, cut, mesh, and the bytes on each device
    public String title() {
        return "%s cut %s on %s, %,d of %,d bytes on each device"
                .formatted(
                        type,
                        sharding.spec(),
                        sharding.mesh(),
                        Shards.type(type, sharding).bytes(),
                        type.bytes());
    }

    /// @param cell a part
    /// @return what is written in it, line by line
    public List<String> words(Cell cell) {
        var lines = new ArrayList<>(List.of(cell.range()));
        var slices = cell.bySlice();
        for (var slice : slices.entrySet()) {
            if (lines.size() > SLICES_SHOWN) {
                lines.add("and %d slices more".formatted(slices.size() - SLICES_SHOWN));
                break;
            }
            var ids = slice.getValue().stream().map(String::valueOf).toList();
            lines.add(
                    "slice %d: %s%s"
                            .formatted(
                                    slice.getKey(),
                                    String.join(" ", ids),
                                    lost.contains(slice.getKey()) ? ", lost" : ""));
        }
        return lines;
    }

    /// @param cell a part
    /// @return whether no device is left that holds it
    public boolean isLost(Cell cell) {
        return !cell.devices().isEmpty()
                && lost.containsAll(new TreeSet<>(cell.bySlice().keySet()));
    }

    @Override
    public String toString() {
        var rows = rows().stream().map(row -> row.stream().map(this::words).toList()).toList();
        int width =
                rows.stream()
                        .flatMap(row -> row.stream().flatMap(List::stream))
                        .mapToInt(String::length)
                        .max()
                        .orElse(0);
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        var text = new StringBuilder(title()).append('\n').append(rule("┌┬┐", columns, width));
        for (int i = 0; i < rows.size(); i++) {
            text.append(i == 0 ? "" : rule("├┼┤", columns, width));
            append(text, rows.get(i), width);
        }
        return text.append(rule("└┴┘", columns, width)).toString().stripTrailing();
    }

    private static void append(StringBuilder text, List<List<String>> row, int width) {
        int height = row.stream().mapToInt(List::size).max().orElse(0);
        for (int line = 0; line < height; line++) {
            for (var cell : row) {
                var words = line < cell.size() ? cell.get(line) : "";
                text.append("│ ").append(words).append(" ".repeat(width - words.length() + 1));
            }
            text.append("│\n");
        }
    }

    private static String rule(String ends, int columns, int width) {
        var bar = "─".repeat(width + 2);
        return ends.charAt(0)
                + String.join(ends.substring(1, 2), java.util.Collections.nCopies(columns, bar))
                + ends.charAt(2)
                + "\n";
    }
}
