package org.meshbook.kernel.notebook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A notebook of nbformat 4, kept as the tree that was read, so that what this class does not know
/// stays as it was. Written as nbformat 4.5: cells without an id get one that depends on their
/// place and text only. Format: https://nbformat.readthedocs.io/en/latest/format_description.html
public final class Notebook {
    /// Sorted, as Jupyter writes its files, so that only what changed shows as changed.
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();

    private static final int MINOR = 5;
    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    private final ObjectNode root;
    private final List<ObjectNode> nodes;
    private final List<NotebookCell> cells;

    private Notebook(ObjectNode root, List<ObjectNode> nodes, List<NotebookCell> cells) {
        this.root = root;
        this.nodes = nodes;
        this.cells = cells;
    }

    /// @param file a notebook
    /// @return what it holds
    /// @throws NotebookUnusable if it is missing, broken, or of another format
    public static Notebook read(Path file) {
        var quoted = "'" + file + "'";
        JsonNode json;
        try {
            json = JSON.readTree(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new NotebookUnusable("no notebook at " + quoted + Neighbours.of(file));
        } catch (AccessDeniedException e) {
            throw new NotebookUnusable(quoted + " may not be read; see its permissions");
        } catch (IOException e) {
            throw new NotebookUnusable(
                    Files.isDirectory(file)
                            ? quoted + " is a folder, not a notebook" + Neighbours.in(file)
                            : quoted + " cannot be read: " + e.getMessage());
        } catch (JacksonException e) {
            var place = e.getLocation();
            var where = place == null ? "" : " at line " + place.getLineNr();
            throw new NotebookUnusable(
                    quoted + " is no notebook: broken JSON" + where + ": " + firstLine(e));
        }
        if (!(json instanceof ObjectNode root) || !root.path("nbformat").isNumber()) {
            throw new NotebookUnusable(quoted + " is no notebook: it has no 'nbformat'");
        }
        var major = root.path("nbformat").asInt(0);
        if (major != 4) {
            throw new NotebookUnusable(
                    quoted
                            + " has nbformat "
                            + major
                            + "; 4 is read here: convert it by 'jupyter nbconvert --to notebook'");
        }
        return parse(quoted, root);
    }

    private static Notebook parse(String quoted, ObjectNode root) {
        if (!(root.path("cells") instanceof ArrayNode array)) {
            throw new NotebookUnusable(quoted + " is no notebook: it has no list of cells");
        }
        var nodes = new ArrayList<ObjectNode>();
        var cells = new ArrayList<NotebookCell>();
        for (var node : array) {
            var number = cells.size() + 1;
            var source = text(node.path("source"));
            var kind = kind(node.path("cell_type").asString(""));
            if (!(node instanceof ObjectNode object) || source == null || kind == null) {
                throw new NotebookUnusable(
                        quoted + " is no notebook: cell " + number + " has no type or no source");
            }
            nodes.add(object);
            cells.add(new NotebookCell(number - 1, kind, source, tags(node)));
        }
        return new Notebook(root, nodes, List.copyOf(cells));
    }

    /// @return all cells in order
    List<NotebookCell> cells() {
        return cells;
    }

    /// Takes away what earlier runs left below the code cells.
    void clearOutputs() {
        for (var cell : cells) {
            if (cell.kind() == NotebookCell.Kind.CODE) {
                fill(cell, null, JSON.createArrayNode());
            }
        }
    }

    /// Puts outputs below a code cell.
    void fill(NotebookCell cell, @Nullable Integer count, ArrayNode outputs) {
        var node = nodes.get(cell.index());
        node.put("execution_count", count);
        node.set("outputs", outputs);
    }

    /// Writes it whole or not at all.
    ///
    /// @param file where to; what was there is replaced
    /// @throws NotebookUnusable if that is not possible
    public void write(Path file) {
        root.put("nbformat_minor", Math.max(MINOR, root.path("nbformat_minor").asInt(0)));
        describe();
        identify();
        try {
            var folder = file.toAbsolutePath().getParent();
            var fresh = Files.createTempFile(folder, ".meshbook", ".ipynb");
            try {
                Files.writeString(fresh, text(root) + "\n", UTF_8);
                Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw new NotebookUnusable("cannot write '" + file + "': " + Failures.why(e));
        }
    }

    private void describe() {
        var metadata = root.withObject("/metadata");
        if (!metadata.has("kernelspec")) {
            metadata.putObject("kernelspec")
                    .put("display_name", "Java (Meshbook)")
                    .put("language", "java")
                    .put("name", "meshbook");
        }
        metadata.putObject("language_info")
                .put("codemirror_mode", "text/x-java")
                .put("file_extension", ".jshell")
                .put("mimetype", "text/x-java")
                .put("name", "java")
                .put("pygments_lexer", "java")
                .put("version", Runtime.version().toString());
    }

    private void identify() {
        var taken = new HashSet<String>();
        for (var cell : cells) {
            var node = nodes.get(cell.index());
            node.withObject("/metadata");
            var id = node.path("id").asString("");
            for (var salt = 0; !ID.matcher(id).matches() || !taken.add(id); salt++) {
                var hash = (cell.index() + " " + salt + " " + cell.source()).hashCode();
                id = "cell-%d-%08x".formatted(cell.index() + 1, hash);
            }
            node.put("id", id);
        }
    }

    private static String text(ObjectNode root) {
        var indent = new DefaultIndenter(" ", "\n");
        var separators =
                new Separators()
                        .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                        .withObjectEmptySeparator("")
                        .withArrayEmptySeparator("");
        var printer =
                new DefaultPrettyPrinter(separators)
                        .withObjectIndenter(indent)
                        .withArrayIndenter(indent);
        return JSON.writer().with(printer).writeValueAsString(root);
    }

    private static @Nullable String text(JsonNode node) {
        if (node.isString()) {
            return node.asString();
        }
        if (!node.isArray()) {
            return null;
        }
        var text = new StringBuilder();
        for (var line : node) {
            text.append(line.asString(""));
        }
        return text.toString();
    }

    private static NotebookCell.@Nullable Kind kind(String word) {
        return switch (word) {
            case "code" -> NotebookCell.Kind.CODE;
            case "markdown" -> NotebookCell.Kind.MARKDOWN;
            case "raw" -> NotebookCell.Kind.RAW;
            default -> null;
        };
    }

    private static Set<String> tags(JsonNode node) {
        var tags = new HashSet<String>();
        for (var tag : node.path("metadata").path("tags")) {
            tags.add(tag.asString(""));
        }
        return tags;
    }

    private static String firstLine(JacksonException e) {
        return e.getOriginalMessage().lines().findFirst().orElse("unreadable");
    }
}
