package org.meshbook.kernel.notebook;

import java.util.Collection;
import java.util.Map;
import org.meshbook.kernel.cell.CellOutcome;
import org.meshbook.kernel.cell.CellOutput;
import org.meshbook.kernel.spi.DisplayData;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Something below a cell.
sealed interface Output {
    /// @return it in nbformat's shape
    ObjectNode node();

    /// @return it as text without colours
    String plain();

    /// @return all in nbformat's shape
    static ArrayNode nodes(Collection<Output> outputs) {
        var nodes = JsonMapper.shared().createArrayNode();
        outputs.forEach(output -> nodes.add(output.node()));
        return nodes;
    }

    /// Text that was printed.
    record Printed(CellOutput.Stream stream, StringBuilder text) implements Output {
        @Override
        public ObjectNode node() {
            var node = JsonMapper.shared().createObjectNode();
            node.put("output_type", "stream").put("name", stream.word());
            node.set("text", lines(text.toString()));
            return node;
        }

        @Override
        public String plain() {
            return Ansi.strip(text.toString());
        }
    }

    /// Display data, or a result.
    final class Shown implements Output {
        private final int count;
        private volatile DisplayData data;

        /// @param count number of the cell whose result this is, or 0 for a display
        Shown(DisplayData data, int count) {
            this.data = data;
            this.count = count;
        }

        DisplayData data() {
            return data;
        }

        void replace(DisplayData with) {
            data = with;
        }

        @Override
        public ObjectNode node() {
            var node = JsonMapper.shared().createObjectNode();
            if (count > 0) {
                node.put("output_type", "execute_result").put("execution_count", count);
            } else {
                node.put("output_type", "display_data");
            }
            var bundle = node.putObject("data");
            data.bundle().forEach((mime, content) -> bundle.set(mime, mime(mime, content)));
            node.set("metadata", JsonMapper.shared().valueToTree(data.metadata()));
            return node;
        }

        @Override
        public String plain() {
            return Ansi.strip(Looks.text(data));
        }
    }

    /// Why the cell failed.
    record Failure(CellOutcome.Failed failed) implements Output {
        @Override
        public ObjectNode node() {
            var node = JsonMapper.shared().createObjectNode();
            node.put("output_type", "error")
                    .put("ename", failed.name())
                    .put("evalue", failed.message());
            var trace = node.putArray("traceback");
            failed.trace().forEach(trace::add);
            return node;
        }

        @Override
        public String plain() {
            return Ansi.strip(String.join("\n", failed.trace()));
        }
    }

    private static JsonNode mime(String mime, Object content) {
        var json = mime.equals("application/json") || mime.endsWith("+json");
        if (json) {
            return JsonMapper.shared().valueToTree(content);
        }
        return switch (content) {
            case CharSequence text -> lines(text.toString());
            case Collection<?> _, Map<?, ?> _ ->
                    lines(JsonMapper.shared().writeValueAsString(content));
            default -> lines(content.toString());
        };
    }

    /// A long text as nbformat likes it: a list of lines that keep their ends.
    private static JsonNode lines(String text) {
        var lines = JsonMapper.shared().createArrayNode();
        var start = 0;
        for (var end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
            lines.add(text.substring(start, end + 1));
            start = end + 1;
        }
        if (start < text.length()) {
            lines.add(text.substring(start));
        }
        return lines.size() == 1 ? lines.get(0) : lines;
    }
}
