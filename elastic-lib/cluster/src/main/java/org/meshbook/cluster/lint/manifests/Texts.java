package org.meshbook.cluster.lint.manifests;

import org.meshbook.cluster.lint.rule.Edit;
import org.meshbook.cluster.lint.rule.Item;
import org.meshbook.cluster.lint.rule.Source;
import org.meshbook.cluster.manifest.Place;
import org.meshbook.cluster.manifest.Value;

/// Makes edits of texts that were not repaired: others are repaired first.
final class Texts {
    private Texts() {}

    /// @param mapping a mapping
    /// @param line a field
    /// @return makes it the mapping's first one; nothing if the mapping is empty
    static Edit[] into(Item item, Value mapping, String line) {
        return mapping.fields().values().stream()
                .findFirst()
                .map(first -> beside(item.source(), first.key(), line))
                .orElse(new Edit[0]);
    }

    /// @param key where a field's key begins
    /// @param line a field
    /// @return puts it before that one, in the same mapping
    static Edit[] beside(Source source, Place key, String line) {
        if (!source.repairs().isEmpty() || flow(source, key)) {
            return new Edit[0];
        }
        // The new field takes the old one's place, behind the dash of a list if there is one.
        var blanks = " ".repeat(key.column() - 1);
        return new Edit[] {
            new Edit(key.line(), key.column(), key.line(), key.column(), line + "\n" + blanks)
        };
    }

    /// @param key where a field's key begins
    /// @return drops the field with all that is in it
    static Edit[] without(Source source, Place key) {
        var own = source.line(key.line());
        boolean alone = own.substring(0, Math.min(own.length(), key.column() - 1)).isBlank();
        if (!source.repairs().isEmpty() || flow(source, key) || !alone) {
            return new Edit[0];
        }
        int last = key.line();
        var lines = source.text().lines().toList();
        for (int i = key.line(); i < lines.size(); i++) {
            var line = lines.get(i);
            boolean inside =
                    indent(line) >= key.column()
                            || indent(line) == key.column() - 1 && line.strip().startsWith("- ");
            if (!line.isBlank() && !inside) {
                break;
            }
            last = line.isBlank() ? last : i + 1;
        }
        return new Edit[] {Edit.delete(key.line(), last)};
    }

    /// Whether a key stands in braces.
    private static boolean flow(Source source, Place key) {
        var line = source.line(key.line());
        var before = line.substring(0, Math.min(line.length(), key.column() - 1));
        return !before.replace("-", "").isBlank();
    }

    static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }
}
