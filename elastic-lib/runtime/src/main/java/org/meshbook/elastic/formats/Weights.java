package org.meshbook.elastic.formats;

import static org.meshbook.elastic.UsageError.require;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;

/// Carries trees of arrays to and from files of other programs: `.safetensors`, `.npz`, and `.npy`
/// for a lone array.
///
/// Names are paths with points, as PyTorch writes them: `layers.0.w` for `layers[0].w`. Plain
/// values beside the arrays are not stored. Blocking; safe on any thread.
public final class Weights {
    private static final String LONE = "arr_0";

    private Weights() {}

    /// A format by its ending.
    private enum Format {
        SAFETENSORS(".safetensors"),
        NPZ(".npz"),
        NPY(".npy");

        private final String ending;

        Format(String ending) {
            this.ending = ending;
        }

        static Format of(Path file) {
            for (var format : values()) {
                if (file.getFileName().toString().endsWith(format.ending)) {
                    return format;
                }
            }
            throw new UsageError(
                    "%s: the ending says the format; known are .safetensors, .npz and .npy", file);
        }
    }

    /// Writes arrays as they are, from whatever devices hold them. A file of that name is replaced
    /// at the end, never half.
    ///
    /// @param file whose ending says the format
    /// @param tree a record, list or map of arrays, or one array
    /// @throws UsageError if it cannot be written
    public static void write(Path file, Object tree) {
        write(file, tree, Optional.empty());
    }

    /// @param file whose ending says the format
    /// @param tree a record, list or map of arrays, or one array
    /// @param element how to store the arrays that it can hold, as `Element.BF16` for all
    ///   fractions; the others stay as they are
    /// @throws UsageError if a whole number does not fit
    public static void write(Path file, Object tree, Element element) {
        write(file, tree, Optional.of(element));
    }

    /// @param file whose ending says the format
    /// @return arrays of this host by name, in the file's order and types
    /// @throws UsageError if it is not such a file, or damaged
    public static Map<String, Array> read(Path file) {
        var format = Format.of(file);
        try {
            return switch (format) {
                case SAFETENSORS -> Safetensors.read(file);
                case NPZ -> Npz.read(file);
                case NPY -> Map.of(LONE, Npy.read(file.toString(), bytes(file)));
            };
        } catch (NoSuchFileException e) {
            throw new UsageError("%s does not exist", file);
        } catch (ZipException e) {
            throw new UsageError("%s is no zip: %s", file, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UsageError("%s cannot be read: %s", file, String.valueOf(e));
        }
    }

    /// Reads arrays into a tree.
    ///
    /// @param file whose ending says the format
    /// @param like a tree of the same names, shapes and types; its values are not read. A narrower
    ///   type in the file is widened to the one asked for where nothing is lost
    /// @param <T> type of the tree
    /// @return the tree, its arrays on this host
    /// @throws UsageError if names, shapes or types differ; lists them
    public static <T> T read(Path file, T like) {
        var found = read(file);
        var flat = Tree.flatten(like);
        var wrong = new ArrayList<String>();
        var arrays = new ArrayList<Array>();
        var unasked = new LinkedHashMap<>(found);
        for (int i = 0; i < flat.leaves().size(); i++) {
            var name = name(flat.structure().paths().get(i));
            var asked = flat.leaves().get(i).type();
            var array = widened(found.get(name), asked);
            unasked.remove(name);
            if (array == null) {
                wrong.add("'%s' is missing".formatted(name));
            } else if (!array.type().equals(asked)) {
                wrong.add("'%s' is %s, asked for %s".formatted(name, array.type(), asked));
            } else {
                arrays.add(array);
            }
        }
        unasked.keySet().forEach(name -> wrong.add("'%s' is not asked for".formatted(name)));
        require(wrong.isEmpty(), "%s does not fit: %s", file, String.join("; ", wrong));
        return flat.structure().rebuild(arrays);
    }

    private static @Nullable Array widened(@Nullable Array found, ArrayType asked) {
        return found != null && Element.of(found.dtype()).widensTo(asked.dtype())
                ? found.cast(asked.dtype())
                : found;
    }

    private static void write(Path file, Object tree, Optional<Element> element) {
        var format = Format.of(file);
        var arrays = stored(tree, element);
        require(
                format != Format.NPY || arrays.size() == 1,
                "%s holds one array, the tree has %d; write an .npz",
                file,
                arrays.size());
        try {
            var part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
            try {
                try (var out = new BufferedOutputStream(Files.newOutputStream(part))) {
                    write(format, arrays, out);
                }
                Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            throw new UsageError("%s cannot be written: %s", file, String.valueOf(e));
        }
    }

    private static void write(Format format, List<Stored> arrays, OutputStream out)
            throws IOException {
        switch (format) {
            case SAFETENSORS -> Safetensors.write(out, arrays);
            case NPZ -> Npz.write(out, arrays);
            case NPY -> Npy.write(out, arrays.getFirst());
        }
    }

    private static List<Stored> stored(Object tree, Optional<Element> element) {
        var flat = Tree.flatten(tree);
        var names = new LinkedHashMap<String, Stored>();
        for (int i = 0; i < flat.leaves().size(); i++) {
            HostArray array = flat.leaves().get(i).toHost();
            var name = name(flat.structure().paths().get(i));
            var dtype = array.type().dtype();
            var how = element.filter(wanted -> wanted.holds(dtype)).orElse(Element.of(dtype));
            require(
                    names.put(name, new Stored(name, array, how)) == null,
                    "two arrays of the tree are called '%s'; rename one",
                    name);
        }
        return List.copyOf(names.values());
    }

    /// The path as other programs write it.
    private static String name(String path) {
        return path.isEmpty() ? LONE : path.replaceAll("\\[([^]]*)]", ".$1").replaceAll("^\\.", "");
    }

    private static ByteBuffer bytes(Path file) throws IOException {
        require(
                Files.size(file) < Integer.MAX_VALUE,
                "%s takes %d bytes; an array here holds 2 GiB at most",
                file,
                Files.size(file));
        return ByteBuffer.wrap(Files.readAllBytes(file));
    }
}
