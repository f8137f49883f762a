package org.meshbook.cluster.lint.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.meshbook.cluster.manifest.Fault;
import org.meshbook.cluster.manifest.Manifest;
import org.meshbook.cluster.manifest.Place;
import org.meshbook.cluster.manifest.Value;

/// Repairs what copying out of a page does to manifests: indents, prose, lost line feeds.
final class Repairing {
    private static final Pattern SEPARATOR = Pattern.compile("\\s+---\\s*(#.*)?");
    private static final Pattern KEY = Pattern.compile("( *)[A-Za-z][\\w.]*:( .*)?");
    private static final Pattern FLAT =
            Pattern.compile("\\s*apiVersion:\\s+\\S+\\s+kind:\\s+\\S+\\s.*");
    private static final Pattern NO_FIELD = Pattern.compile(".*[\\s\\P{ASCII}].*", Pattern.DOTALL);

    private final String name;
    private final Manifest given;
    private final String[] lines;
    private final Integer[] shifts;
    private final List<Repair> repairs = new ArrayList<>();

    private Repairing(String name, String text) {
        this.name = name;
        this.given = Manifest.read(name, text);
        this.lines = text.split("(?<=\n)", -1);
        this.shifts = new Integer[lines.length];
        Arrays.fill(shifts, 0);
    }

    static Source of(String name, String text) {
        return new Repairing(name, text).source(text);
    }

    private Source source(String text) {
        // 1. separators first: they decide what a part is  2. the first line of each part
        // 3. what stands below a part and belongs to the page
        dedentAll();
        dedentFirstLines();
        var manifest = Manifest.read(name, String.join("", lines));
        if (cutProse(manifest)) {
            manifest = Manifest.read(name, String.join("", lines));
        }
        flat();
        return new Source(name, text, manifest, repairs, List.of(shifts), given, 0);
    }

    private void dedentAll() {
        int least =
                Arrays.stream(lines)
                        .filter(line -> !line.isBlank())
                        .mapToInt(Repairing::indent)
                        .min()
                        .orElse(0);
        for (int i = 0; least > 0 && i < lines.length; i++) {
            if (SEPARATOR.matcher(lines[i].stripTrailing()).matches()
                    && indent(lines[i]) == least) {
                var place = new Place(i + 1, least + 1, "---".length());
                repairs.add(new Repair(Repair.Kind.INDENTED, place, verdict(place)));
                dedent(0, lines.length, least);
                return;
            }
        }
    }

    private void dedentFirstLines() {
        var content = new ArrayList<Integer>();
        for (int i = 0; i <= lines.length; i++) {
            if (i == lines.length || lines[i].startsWith("---")) {
                if (content.size() > 1) {
                    compare(content.get(0), content.get(1));
                }
                content.clear();
            } else if (!lines[i].isBlank() && !lines[i].strip().startsWith("#")) {
                content.add(i);
            }
        }
    }

    private void compare(int first, int second) {
        var one = KEY.matcher(lines[first].stripTrailing());
        var two = KEY.matcher(lines[second].stripTrailing());
        int deeper = indent(lines[first]) - indent(lines[second]);
        if (one.matches() && two.matches() && deeper > 0) {
            var place = new Place(first + 1, 1, indent(lines[first]));
            repairs.add(new Repair(Repair.Kind.FIRST_LINE, place, verdict(place)));
            dedent(first, first + 1, deeper);
        }
    }

    private boolean cutProse(Manifest manifest) {
        boolean cut = false;
        for (var document : manifest.documents()) {
            var prose = prose(document.root(), "");
            if (prose.isEmpty()) {
                continue;
            }
            var found = prose.getFirst();
            int line = found.value().key().line();
            var place = new Place(line, found.value().key().column() + shifts[line - 1], 1);
            var api = document.text("apiVersion");
            repairs.add(
                    new Repair(
                            Repair.Kind.PROSE,
                            place,
                            "%s in version \"%s\" cannot be handled as a %1$s: strict decoding error: unknown field \"%s\""
                                    .formatted(
                                            document.text("kind"),
                                            api.substring(api.indexOf('/') + 1),
                                            found.path())));
            for (int i = line - 1; i < lines.length && !lines[i].startsWith("---"); i++) {
                lines[i] = lines[i].endsWith("\n") ? "\n" : "";
            }
            cut = true;
        }
        return cut;
    }

    private record Field(String path, Value value) {}

    private static List<Field> prose(Value value, String path) {
        var found = new ArrayList<Field>();
        value.fields()
                .forEach(
                        (key, inner) -> {
                            var here = path.isEmpty() ? key : path + "." + key;
                            if (NO_FIELD.matcher(key).matches()) {
                                found.add(new Field(here, inner));
                            } else if (!key.equals("data") && !key.equals("annotations")) {
                                found.addAll(prose(inner, here));
                            }
                        });
        return found;
    }

    private void flat() {
        for (int i = 0; i < lines.length; i++) {
            if (FLAT.matcher(lines[i].strip()).matches()) {
                var place = new Place(i + 1, indent(lines[i]) + 1, 1);
                repairs.add(new Repair(Repair.Kind.FLAT, place, verdict(place)));
            }
        }
    }

    /// kubectl stops at its first complaint, wherever the cause is.
    private String verdict(Place place) {
        return given.faults().stream()
                .filter(f -> f.place().line() >= place.line() || f.kind() == Fault.Kind.SYNTAX)
                .findFirst()
                .map(f -> "error: " + f.text())
                .orElse("");
    }

    private void dedent(int from, int to, int by) {
        for (int i = from; i < to; i++) {
            int blanks = Math.min(by, indent(lines[i]));
            lines[i] = lines[i].substring(blanks);
            shifts[i] += blanks;
        }
    }

    private static int indent(String line) {
        int at = 0;
        while (at < line.length() && line.charAt(at) == ' ') {
            at++;
        }
        return at;
    }
}
