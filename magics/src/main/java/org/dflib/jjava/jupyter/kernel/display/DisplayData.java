package org.dflib.jjava.jupyter.kernel.display;

import java.util.LinkedHashMap;
import java.util.Map;
import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;
import org.jspecify.annotations.Nullable;

/// Something to look at, filled step by step. Not thread-safe.
public class DisplayData {
    public static final String DISPLAY_ID_KEY = "display_id";
    public static final DisplayData EMPTY = new DisplayData();

    private final Map<String, Object> data = new LinkedHashMap<>();
    private final Map<String, Object> metadata = new LinkedHashMap<>();
    private final Map<String, Object> transients = new LinkedHashMap<>();

    public DisplayData() {}

    /// @param text plain text
    public DisplayData(String text) {
        putText(text);
    }

    /// @param other what to copy
    public DisplayData(DisplayData other) {
        assign(other);
    }

    /// @param data may be null
    /// @return it, or an empty one
    public static DisplayData emptyIfNull(@Nullable DisplayData data) {
        return data == null ? EMPTY : data;
    }

    public void putData(String type, Object content) {
        data.put(type, content);
    }

    public void putData(MIMEType type, Object content) {
        putData(type.toString(), content);
    }

    public void putData(MIMEType type, Object content, Object meta) {
        putData(type, content);
        putMetaData(type, meta);
    }

    public void putMetaData(String type, Object content) {
        metadata.put(type, content);
    }

    public void putMetaData(MIMEType type, Object content) {
        putMetaData(type.toString(), content);
    }

    public void putTransientData(String key, Object content) {
        transients.put(key, content);
    }

    public @Nullable Object getData(MIMEType type) {
        return data.get(type.toString());
    }

    public boolean hasDataForType(MIMEType type) {
        return data.containsKey(type.toString());
    }

    /// @param other whose content this gets as well
    public void assign(DisplayData other) {
        data.putAll(other.data);
        metadata.putAll(other.metadata);
        transients.putAll(other.transients);
    }

    public void setDisplayId(String id) {
        transients.put(DISPLAY_ID_KEY, id);
    }

    public boolean hasDisplayId() {
        return transients.containsKey(DISPLAY_ID_KEY);
    }

    public @Nullable String getDisplayId() {
        return (String) transients.get(DISPLAY_ID_KEY);
    }

    public void putText(String text) {
        putData(MIMEType.TEXT_PLAIN, text);
    }

    public void putHTML(String html) {
        putData(MIMEType.TEXT_HTML, html);
    }

    public void putLatex(String latex) {
        putData(MIMEType.TEXT_LATEX, latex);
    }

    public void putMath(String math) {
        putLatex("$$" + math + "$$");
    }

    public void putMarkdown(String markdown) {
        putData(MIMEType.TEXT_MARKDOWN, markdown);
    }

    public void putJavaScript(String script) {
        putData(MIMEType.APPLICATION_JAVASCRIPT, script);
    }

    public void putJSON(String json) {
        putData(MIMEType.APPLICATION_JSON, json);
    }

    public void putJSON(String json, boolean expanded) {
        putData(MIMEType.APPLICATION_JSON, json, Map.of("expanded", expanded));
    }

    public void putSVG(String svg) {
        putData(MIMEType.IMAGE_SVG, svg);
    }

    /// @return the content by MIME type
    public Map<String, Object> content() {
        return Map.copyOf(data);
    }

    /// @return metadata by MIME type
    public Map<String, Object> meta() {
        return Map.copyOf(metadata);
    }

    @Override
    public String toString() {
        return "DisplayData " + data.keySet();
    }
}
