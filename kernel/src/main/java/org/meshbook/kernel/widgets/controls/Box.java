package org.meshbook.kernel.widgets.controls;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.meshbook.kernel.widgets.model.Model;

/// Widgets together: side by side, one below the other, or one at a time.
public final class Box extends Widget<Box> {
    private static final String CHILDREN = "children";

    private volatile List<Widget<?>> children = List.of();

    private Box(String name, List<? extends Widget<?>> children) {
        super(Model.Names.control(name));
        children(children);
    }

    /// @param children from left to right
    /// @return a row
    public static Box row(List<? extends Widget<?>> children) {
        return new Box("HBox", children);
    }

    /// @param children from top to bottom
    /// @return a column
    public static Box column(List<? extends Widget<?>> children) {
        return new Box("VBox", children);
    }

    /// @param pages title to page; the first is open
    /// @return pages behind tabs
    public static Box tabs(Map<String, ? extends Widget<?>> pages) {
        return titled("Tab", pages);
    }

    /// @param pages title to page; the first is open
    /// @return pages that fold away
    public static Box accordion(Map<String, ? extends Widget<?>> pages) {
        return titled("Accordion", pages);
    }

    private static Box titled(String name, Map<String, ? extends Widget<?>> pages) {
        var box = new Box(name, new ArrayList<>(pages.values()));
        var more = new LinkedHashMap<String, Object>();
        more.put("titles", List.copyOf(pages.keySet()));
        if (!pages.isEmpty()) {
            more.put("selected_index", 0);
        }
        box.model().put(more);
        return box;
    }

    /// @return what is in it
    public List<Widget<?>> children() {
        return children;
    }

    /// @param next what is in it from now on
    /// @return this
    /// @throws IllegalArgumentException if it would be inside itself
    public Box children(List<? extends Widget<?>> next) {
        if (next.stream().anyMatch(this::holdsThis)) {
            throw new IllegalArgumentException("a box cannot hold itself; make another one");
        }
        children = List.copyOf(next);
        model().put(CHILDREN, children);
        return this;
    }

    private boolean holdsThis(Widget<?> widget) {
        return widget == this || widget.inside().stream().anyMatch(this::holdsThis);
    }

    @Override
    List<Widget<?>> inside() {
        return children;
    }

    @Override
    String content() {
        return children.stream().map(Widget::toString).collect(Collectors.joining(", "));
    }

    /// Takes it, and what is in it, away from the front end.
    @Override
    public void close() {
        super.close();
        children.forEach(Widget::close);
    }

    @Override
    Box self() {
        return this;
    }
}
