package org.meshbook.cluster.nodes.kubelet;

import java.util.Map;

/// `$(NAME)` in commands, arguments and variables, as Kubernetes expands it.
final class Variables {
    private Variables() {}

    /// A name that nobody knows stays as it is; `$$` is one `$`, and `$$(NAME)` is never expanded.
    static String expand(String text, Map<String, String> values) {
        var out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char follower = i + 1 < text.length() ? text.charAt(i + 1) : 0;
            if (c == '$' && follower == '$') {
                out.append('$');
                i++;
            } else if (c == '$' && follower == '(' && text.indexOf(')', i) > 0) {
                int end = text.indexOf(')', i);
                var name = text.substring(i + 2, end);
                out.append(values.getOrDefault(name, "$(" + name + ")"));
                i = end;
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
