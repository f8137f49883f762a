package org.meshbook.cluster.manifest;

/// Reads paths of fields as API servers write them.
final class Path {
    private Path() {}

    static Value find(Value root, String path) {
        var value = root;
        int at = 0;
        while (at < path.length()) {
            char c = path.charAt(at);
            if (c == '[') {
                int end = path.indexOf(']', at);
                var inside = path.substring(at + 1, end < 0 ? path.length() : end);
                value = element(value, inside);
                at = end < 0 ? path.length() : end + 1;
            } else {
                int from = c == '.' ? at + 1 : at;
                int end = end(path, from);
                if (end > from) {
                    value = value.at(path.substring(from, end));
                }
                at = Math.max(end, at + 1);
            }
        }
        return value;
    }

    private static Value element(Value value, String inside) {
        return inside.matches("\\d{1,6}") && value.fields().isEmpty()
                ? value.item(Integer.parseInt(inside))
                : value.at(inside);
    }

    private static int end(String path, int from) {
        int at = from;
        while (at < path.length() && path.charAt(at) != '.' && path.charAt(at) != '[') {
            at++;
        }
        return at;
    }
}
