package org.meshbook.kernel.maven;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Element;

/// Makes a project of what people paste: a whole pom, or any of its parts.
public final class PomText {
    private static final String PROJECT =
            """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
            %s</project>
            """;

    /// Parts that may stand alone, with the part that holds them in a project.
    private static final Map<String, String> HOLDERS =
            Map.of("dependency", "dependencies", "repository", "repositories");

    private static final List<String> PARTS =
            List.of(
                    "groupId",
                    "artifactId",
                    "version",
                    "packaging",
                    "parent",
                    "properties",
                    "dependencyManagement",
                    "dependencies",
                    "repositories");

    private PomText() {}

    /// @param text what was pasted
    /// @return a whole project
    /// @throws MavenFailure if it is none, with the line
    public static String whole(String text) {
        var body = text.strip().replaceFirst("^<\\?xml[^>]*\\?>", "").strip();
        if (body.isEmpty()) {
            throw new MavenFailure(
                    "there is no XML: paste a <project>, <dependencies>, <repositories> or single"
                            + " <dependency> elements");
        }
        // One line, so that errors keep their line numbers.
        var root = Xml.parse("<pasted>" + body + "\n</pasted>", "what was pasted");
        var children = Xml.children(root);
        if (children.size() == 1 && children.getFirst().getLocalName().equals("project")) {
            return body;
        }
        var parts = new TreeMap<Integer, List<Element>>();
        for (var child : children) {
            var name = child.getLocalName();
            var holder = HOLDERS.getOrDefault(name, name);
            int place = PARTS.indexOf(holder);
            if (place < 0) {
                if (name.equals("modelVersion")) {
                    continue;
                }
                throw new MavenFailure(
                        "<%s> does not stand in a project; what counts here is <dependency>, <repository>, %s"
                                .formatted(
                                        name,
                                        String.join(
                                                ", ",
                                                PARTS.stream().map(p -> "<" + p + ">").toList())));
            }
            parts.computeIfAbsent(place, _ -> new ArrayList<>()).add(child);
        }
        return PROJECT.formatted(identity(parts) + parts(parts));
    }

    private static String identity(Map<Integer, List<Element>> parts) {
        var text = new StringBuilder();
        if (!parts.containsKey(PARTS.indexOf("parent"))) {
            for (var each : Map.of("groupId", "pasted", "version", "1").entrySet()) {
                if (!parts.containsKey(PARTS.indexOf(each.getKey()))) {
                    text.append(element(each.getKey(), each.getValue()));
                }
            }
        }
        if (!parts.containsKey(PARTS.indexOf("artifactId"))) {
            text.append(element("artifactId", "project"));
        }
        return text.toString();
    }

    private static String parts(Map<Integer, List<Element>> parts) {
        var text = new StringBuilder();
        parts.forEach(
                (place, elements) -> {
                    var name = PARTS.get(place);
                    var inner = new StringBuilder();
                    for (var element : elements) {
                        if (element.getLocalName().equals(name)) {
                            inner.append(inner(element));
                        } else {
                            inner.append(written(element));
                        }
                    }
                    text.append(element(name, inner.toString()));
                });
        return text.toString();
    }

    private static String element(String name, String content) {
        return "  <%s>%s</%s>\n".formatted(name, content, name);
    }

    private static String inner(Element element) {
        var children = Xml.children(element);
        if (children.isEmpty()) {
            return element.getTextContent().strip().replace("&", "&amp;").replace("<", "&lt;");
        }
        var text = new StringBuilder();
        children.forEach(child -> text.append(written(child)));
        return text.toString();
    }

    private static String written(Element element) {
        try {
            var writer = new StringWriter();
            var transformer = TransformerFactory.newDefaultInstance().newTransformer();
            transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            transformer.transform(new DOMSource(element), new StreamResult(writer));
            return writer.toString();
        } catch (TransformerException e) {
            throw new MavenFailure("cannot use what was pasted: " + e.getMessage(), e);
        }
    }
}
