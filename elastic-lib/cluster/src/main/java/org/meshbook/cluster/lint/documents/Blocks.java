package org.meshbook.cluster.lint.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.meshbook.cluster.lint.rule.Source;
import org.meshbook.cluster.lint.rule.Text;

/// Finds the manifests inside a text.
///
/// A block begins at a line with `apiVersion:` and goes on as long as lines read like YAML: a field
/// at the block's own depth, anything deeper, a separator. What stands behind an empty line must
/// read like YAML by itself, or it is prose.
public final class Blocks {
    private static final Pattern START = Pattern.compile("\\s*apiVersion: +[\\w./\"'-]+\\s*(#.*)?");
    private static final Pattern FLAT = Pattern.compile("apiVersion: +[\\w./-]+ +kind: +\\w+ .*");
    private static final Pattern FIELD =
            Pattern.compile("[A-Za-z\"'][\\w./\"'-]*:( .*)?|- .*|-|#.*");
    private static final String FENCE = "```";

    private final Text text;
    private final List<String> lines;
    private final List<Source> found = new ArrayList<>();

    private Blocks(Text text) {
        this.text = text;
        this.lines = text.lines();
    }

    /// @param text a document
    /// @return the manifests in it, each where it stands
    public static List<Source> in(Text text) {
        var blocks = new Blocks(text);
        blocks.read();
        return blocks.found;
    }

    private void read() {
        int at = 0;
        while (at < lines.size()) {
            if (START.matcher(lines.get(at)).matches()) {
                int end = end(at);
                add(at, String.join("\n", lines.subList(at, end)) + "\n");
                at = end;
            } else {
                flat(at);
                at++;
            }
        }
    }

    /// What stands before the manifest on its line becomes blanks, so that columns stay.
    private void flat(int at) {
        var flat = FLAT.matcher(lines.get(at));
        if (flat.find()) {
            add(at, " ".repeat(flat.start()) + flat.group() + "\n");
        }
    }

    private void add(int line, String block) {
        found.add(Source.read(text.name(), block).below(line));
    }

    private int end(int start) {
        int depth = depth(start);
        int end = start + 1;
        boolean parted = false;
        for (int i = start + 1; i < lines.size(); i++) {
            var line = lines.get(i);
            if (line.isBlank()) {
                parted = true;
                continue;
            }
            if (!belongs(line, depth, parted)) {
                break;
            }
            parted = false;
            end = i + 1;
        }
        return end;
    }

    /// The first line may be deeper than the block.
    private int depth(int start) {
        int own = indent(lines.get(start));
        return start + 1 < lines.size() && !lines.get(start + 1).isBlank()
                ? Math.min(own, indent(lines.get(start + 1)))
                : own;
    }

    private static boolean belongs(String line, int depth, boolean parted) {
        var bare = line.strip();
        if (bare.startsWith(FENCE)) {
            return false;
        }
        if (bare.equals("---") || bare.startsWith("--- #")) {
            return indent(line) == depth;
        }
        boolean field = FIELD.matcher(bare).matches();
        if (indent(line) > depth) {
            return !parted || field;
        }
        return indent(line) == depth && field && !START.matcher(line).matches()
                || restarts(line, depth);
    }

    /// Behind a separator a new object begins at the same depth.
    private static boolean restarts(String line, int depth) {
        return START.matcher(line).matches() && indent(line) == depth;
    }

    private static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }
}
