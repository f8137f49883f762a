package org.meshbook.cluster.print;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import org.meshbook.cluster.Kinds;
import org.meshbook.cluster.Profile;
import org.meshbook.cluster.Resource;
import org.meshbook.cluster.ResourceKind;
import org.meshbook.cluster.schema.ObjectSchema;
import org.meshbook.cluster.schema.Schemas;

/// Makes the table of some objects of one kind.
public final class Tables {
    /// One column: its head, whether it is shown only when more is asked for, and its cells.
    record Column(String head, boolean wide, BiFunction<Resource, Instant, String> cell) {
        static Column of(String head, BiFunction<Resource, Instant, String> cell) {
            return new Column(head, false, cell);
        }

        static Column wide(String head, BiFunction<Resource, Instant, String> cell) {
            return new Column(head, true, cell);
        }
    }

    static final Column AGE = Column.of("AGE", (object, now) -> Age.of(object.created(), now));
    private static final Column NAME = Column.of("NAME", (object, _) -> object.name());

    private Tables() {}

    /// How to show.
    ///
    /// @param profile which Kueue's columns
    /// @param wide whether to show more columns
    /// @param namespaces whether to show the namespace, too
    /// @param now what ages are relative to
    public record Look(Profile profile, boolean wide, boolean namespaces, Instant now) {}

    /// @param kind kind
    /// @param objects objects of it, in the order of the rows
    /// @param look how to show them
    /// @return the table
    public static Table of(ResourceKind kind, List<Resource> objects, Look look) {
        var columns = new ArrayList<Column>();
        if (look.namespaces() && kind.namespaced()) {
            columns.add(Column.of("NAMESPACE", (object, _) -> object.namespace()));
        }
        columns(kind, look.profile()).stream()
                .filter(column -> look.wide() || !column.wide())
                .forEach(columns::add);
        var rows =
                objects.stream()
                        .map(o -> columns.stream().map(c -> c.cell().apply(o, look.now())).toList())
                        .toList();
        return new Table(columns.stream().map(Column::head).toList(), rows);
    }

    private static List<Column> columns(ResourceKind kind, Profile profile) {
        var own = BuiltinColumns.of(kind);
        if (own.isPresent()) {
            return own.get();
        }
        var served = profile == Profile.V0_14 ? kind.in("v1beta1") : Kinds.kept(kind);
        var declared =
                Schemas.of(profile, served)
                        .or(() -> Schemas.of(profile, Kinds.kept(kind)))
                        .map(ObjectSchema::columns)
                        .orElse(List.of());
        var columns = new ArrayList<Column>();
        columns.add(NAME);
        declared.forEach(column -> columns.add(declared(column)));
        if (declared.isEmpty()) {
            columns.add(AGE);
        }
        return columns;
    }

    private static Column declared(ObjectSchema.Column column) {
        var head = column.name().toUpperCase(Locale.ROOT);
        BiFunction<Resource, Instant, String> cell =
                column.type().equals("date")
                        ? (object, now) -> date(text(object, column.path()), now)
                        : (object, _) -> text(object, column.path());
        return new Column(head, column.wide(), cell);
    }

    private static String date(String text, Instant now) {
        return text.isEmpty() ? "" : Age.of(Optional.of(Instant.parse(text)), now);
    }

    private static String text(Resource object, String path) {
        var value = JsonPath.find(object.json(), path);
        return value.isContainer() ? value.toString() : value.asString("");
    }
}
