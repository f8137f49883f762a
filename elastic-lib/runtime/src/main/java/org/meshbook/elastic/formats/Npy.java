package org.meshbook.elastic.formats;

import static org.meshbook.elastic.UsageError.require;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;

/// NumPy's format of one array: a magic word, a version, a header that is a Python literal, and the
/// bytes.
final class Npy {
    private static final byte[] MAGIC = "\u0093NUMPY".getBytes(StandardCharsets.ISO_8859_1);
    private static final int VERSION_AT = MAGIC.length;
    private static final int LENGTH_AT = VERSION_AT + 2;
    private static final int ALIGNED = 64;
    private static final Pattern DESCR = Pattern.compile("'descr': *('([<>=|]?)(\\w+)'|[^,]*)");
    private static final Pattern FORTRAN = Pattern.compile("'fortran_order': *(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape': *\\(([\\d, L]*)\\)");

    private Npy() {}

    /// @param name of the array or file, for errors
    /// @param file the whole content
    static HostArray read(String name, ByteBuffer file) {
        // 1. the header
        var bytes = file.order(ByteOrder.LITTLE_ENDIAN);
        require(
                bytes.remaining() > LENGTH_AT + Integer.BYTES && startsWithMagic(bytes),
                "'%s' is no .npy: it does not begin as one",
                name);
        int version = bytes.get(VERSION_AT);
        require(
                version >= 1 && version <= 3,
                "'%s' is .npy of version %d; known are 1 to 3",
                name,
                version);
        boolean old = version == 1;
        long length =
                old
                        ? Short.toUnsignedLong(bytes.getShort(LENGTH_AT))
                        : Integer.toUnsignedLong(bytes.getInt(LENGTH_AT));
        int start = LENGTH_AT + (old ? Short.BYTES : Integer.BYTES);
        require(
                length <= bytes.remaining() - start,
                "'%s' is cut short: its header takes %d bytes, %d are left",
                name,
                length,
                bytes.remaining() - start);
        var raw = new byte[(int) length];
        bytes.get(start, raw);
        var header = new String(raw, StandardCharsets.UTF_8);
        // 2. type and sizes
        var descr = found(name, header, DESCR);
        var kind = descr.group(3) == null ? "" : descr.group(3);
        var element =
                Element.ofNumpy(kind)
                        .orElseThrow(
                                () ->
                                        new UsageError(
                                                "'%s' is of NumPy type %s; known are %s",
                                                name, descr.group(1), known()));
        var dims = dims(name, found(name, header, SHAPE).group(1));
        boolean fortran = found(name, header, FORTRAN).group(1).equals("True");
        // 3. the numbers
        long needed =
                dims.stream().mapToLong(Integer::longValue).reduce(element.bytes(), Npy::times);
        var stored = bytes.position(start + (int) length).slice();
        require(
                stored.remaining() == needed,
                "'%s' has %d bytes of numbers, %s%s needs %d",
                name,
                stored.remaining(),
                element,
                dims,
                needed);
        stored.order(">".equals(descr.group(2)) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        if (!fortran || dims.size() < 2) {
            return Packing.unpack(stored, element, new Shape(dims));
        }
        // columns first: the sizes backwards, then turned around
        var turned = Packing.unpack(stored, element, new Shape(dims.reversed()));
        var order = new int[dims.size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = order.length - 1 - i;
        }
        return turned.transpose(order).toHost();
    }

    static void write(OutputStream out, Stored array) throws IOException {
        out.write(header(array));
        array.write(out);
    }

    static byte[] header(Stored array) {
        var element = array.element();
        require(
                !element.numpy().isEmpty(),
                "'%s' is to be stored as %s, which NumPy has not; store it as F32 or F16, or in a"
                        + " .safetensors file",
                array.name(),
                element);
        var dims = array.array().type().shape().dims();
        var shape =
                dims.stream().map(String::valueOf).collect(Collectors.joining(", "))
                        + (dims.size() == 1 ? "," : "");
        var text =
                "{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }"
                        .formatted(element.bytes() == 1 ? "|" : "<", element.numpy(), shape);
        int start = LENGTH_AT + Short.BYTES;
        int whole = (start + text.length() + 1 + ALIGNED - 1) / ALIGNED * ALIGNED;
        var padded = text + " ".repeat(whole - start - text.length() - 1) + "\n";
        return ByteBuffer.allocate(whole)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(MAGIC)
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) padded.length())
                .put(padded.getBytes(StandardCharsets.US_ASCII))
                .array();
    }

    private static List<Integer> dims(String name, String text) {
        var dims = new ArrayList<Integer>();
        for (var part : text.replace("L", "").split(",")) {
            if (!part.isBlank()) {
                try {
                    dims.add(Integer.parseInt(part.strip()));
                } catch (NumberFormatException e) {
                    throw new UsageError(
                            "'%s' has a size of %s; an array here holds 2 GiB at most",
                            name, part.strip());
                }
            }
        }
        return dims;
    }

    private static Matcher found(String name, String header, Pattern pattern) {
        var matcher = pattern.matcher(header);
        require(matcher.find(), "the header of '%s' is not one of .npy: %s", name, header.strip());
        return matcher;
    }

    private static boolean startsWithMagic(ByteBuffer bytes) {
        var begin = new byte[MAGIC.length];
        bytes.get(0, begin);
        return Arrays.equals(begin, MAGIC);
    }

    private static String known() {
        return Arrays.stream(Element.values())
                .map(Element::numpy)
                .filter(kind -> !kind.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static long times(long a, long b) {
        return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
    }
}
