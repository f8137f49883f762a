package org.meshbook.elastic.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Tree;

/// The files in the resources were written by NumPy 2.4, safetensors 0.8 and ml_dtypes.
class WeightsTest {
    private static final Map<String, double[]> WRITTEN_BY_PYTHON =
            Map.ofEntries(
                    Map.entry("F64", new double[] {1.5, -2.25}),
                    Map.entry("F32", new double[] {0.5, -0.1f, 3e38f, Double.POSITIVE_INFINITY}),
                    Map.entry("F16", new double[] {1, -0.5, 65_504}),
                    Map.entry("I64", new double[] {Long.MIN_VALUE, Long.MAX_VALUE}),
                    Map.entry("I32", new double[] {Integer.MIN_VALUE, Integer.MAX_VALUE}),
                    Map.entry("I16", new double[] {-32_768, 32_767}),
                    Map.entry("I8", new double[] {-128, 127}),
                    Map.entry("U64", new double[] {0, Long.MAX_VALUE}),
                    Map.entry("U32", new double[] {0, 4_294_967_295.0}),
                    Map.entry("U16", new double[] {0, 65_535}),
                    Map.entry("U8", new double[] {0, 255}),
                    Map.entry("BOOL", new double[] {1, 0, 1}),
                    Map.entry("scalar", new double[] {7}),
                    Map.entry("none", new double[] {}));

    @TempDir Path folder;

    record Layer(Array w, Array b) {}

    record Model(List<Layer> layers, Map<String, Array> norms, Array scale, int version) {}

    private final Model model =
            new Model(
                    List.of(
                            new Layer(Array.normal(1, 3, 4), Array.zeros(4)),
                            new Layer(Array.normal(2, 4, 2), Array.of(1.0, 2.0))),
                    Map.of("final", Array.iota(DType.I64, 5), "a", Array.of(true, false)),
                    Array.scalar(0.5f),
                    3);

    @ParameterizedTest
    @ValueSource(strings = {"numpy.npz", "huggingface.safetensors"})
    void whatPythonWroteIsReadInEveryType(String name) throws IOException {
        var arrays = Weights.read(resource(name));
        WRITTEN_BY_PYTHON.forEach(
                (key, values) ->
                        assertThat(Objects.requireNonNull(arrays.get(key)).toHost().doubles())
                                .as(key)
                                .containsExactly(values));
        assertThat(arrays.get("U32")).extracting(Array::type).isEqualTo(ArrayType.of(DType.U32, 2));
        assertThat(arrays.get("none"))
                .extracting(Array::type)
                .isEqualTo(ArrayType.of(DType.F32, 0, 3));
        assertThat(arrays.get("F64"))
                .extracting(Array::type)
                .isEqualTo(ArrayType.of(DType.F64, 1, 2));
    }

    @Test
    void brainFloatsAreRead() throws IOException {
        var bf16 = Weights.read(resource("huggingface.safetensors")).get("BF16");
        assertThat(Objects.requireNonNull(bf16).toHost().floats())
                .containsExactly(1, -0.5f, 3.140625f);
    }

    @Test
    void namesKeepTheFilesOrder() throws IOException {
        assertThat(Weights.read(resource("numpy.npz")).keySet())
                .startsWith("F64", "F32", "F16", "I64")
                .endsWith("scalar", "none");
    }

    @Test
    void columnsFirstAndOtherByteOrdersAreTurned() throws IOException {
        var arrays = Weights.read(resource("compressed.npz"));
        assertThat(arrays.get("a")).isEqualTo(Array.of(0, 1, 2, 3, 4, 5).reshape(2, 3));
        assertThat(arrays.get("b"))
                .isEqualTo(Array.of(0f, 1f, 2f, 3f, 4f, 5f).reshape(2, 3).toHost());
        assertThat(arrays.get("c")).isEqualTo(Array.of(0f, 1f, 2f));
    }

    @Test
    void bytesAreThoseThatPythonWrites() throws IOException {
        var matrix = Array.iota(DType.F32, 12).reshape(3, 4);
        Weights.write(folder.resolve("m.npy"), matrix);
        assertThat(folder.resolve("m.npy")).hasSameBinaryContentAs(resource("matrix.npy"));
        record Plain(Array b, Array w) {}
        var plain = new Plain(Array.iota(DType.F32, 6).reshape(2, 3), Array.of(1, 2));
        Weights.write(folder.resolve("p.safetensors"), plain);
        assertThat(folder.resolve("p.safetensors"))
                .hasSameBinaryContentAs(resource("plain.safetensors"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"m.safetensors", "m.npz"})
    void treeComesBackAsItWas(String name) {
        var file = folder.resolve(name);
        Weights.write(file, model);
        assertThat(Weights.read(file).keySet())
                .containsExactly(
                        "layers.0.w",
                        "layers.0.b",
                        "layers.1.w",
                        "layers.1.b",
                        "norms.a",
                        "norms.final",
                        "scale");
        var blank = Tree.map(model, array -> HostArray.zeros(array.type()));
        assertThat(Weights.read(file, blank)).isEqualTo(model);
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }

    @ParameterizedTest
    @CsvSource({"F16, 0.1, 0.099975586", "BF16, 0.1, 0.100097656", "F64, 0.5, 0.5"})
    void fractionsAreRoundedToTheNearest(Element element, float written, float read) {
        var file = folder.resolve("x.safetensors");
        Weights.write(file, new Layer(Array.of(written, Float.NaN), Array.of(1, 2)), element);
        var arrays = Weights.read(file);
        var doubles = Objects.requireNonNull(arrays.get("w")).toHost().doubles();
        assertThat((float) doubles[0]).isEqualTo(read);
        assertThat(doubles[1]).isNaN();
        // whole numbers stay as they are
        assertThat(arrays.get("b")).isEqualTo(Array.of(1, 2));
    }

    @Test
    void wholeNumbersAreStoredNarrowerOnlyIfTheyFit() {
        var file = folder.resolve("x.npz");
        Weights.write(file, Map.of("i", Array.of(-128, 127)), Element.I8);
        assertThat(Weights.read(file).get("i")).isEqualTo(Array.of(-128, 127).cast(DType.I8));
        assertThat(Weights.read(file, Map.of("i", Array.zeros(DType.I64, 2))).get("i"))
                .as("nothing is lost")
                .isEqualTo(Array.of(-128, 127).cast(DType.I64));
        assertThatThrownBy(() -> Weights.write(file, Map.of("i", Array.of(-1)), Element.U16))
                .isInstanceOf(UsageError.class)
                .hasMessage("'i' holds -1, which U16 does not; it holds 0 to 65535");
        assertThat(Weights.read(file).get("i")).as("what was there stays").isNotNull();
    }

    @Test
    void whatDoesNotFitIsListedInOneLine() {
        var file = folder.resolve("x.npz");
        Weights.write(file, new Layer(Array.zeros(2, 3), Array.zeros(3)));
        record Other(Array w, Array c) {}
        assertThatThrownBy(() -> Weights.read(file, new Other(Array.zeros(3, 2), Array.zeros(3))))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining(
                        "does not fit: 'w' is f32[2,3], asked for f32[3,2]; 'c' is missing; 'b' is"
                                + " not asked for");
    }

    @Test
    void everyCutOfAFileIsOneClearLine() throws IOException {
        for (var name : List.of("plain.safetensors", "matrix.npy", "compressed.npz")) {
            var whole = Files.readAllBytes(resource(name));
            for (int length = 0; length < whole.length; length++) {
                var cut = folder.resolve("cut-" + name);
                Files.write(cut, Arrays.copyOf(whole, length));
                assertThatThrownBy(() -> Weights.read(cut))
                        .as("%s cut at %d", name, length)
                        .isInstanceOf(UsageError.class)
                        .hasMessageNotContaining("\n");
            }
        }
    }

    @Test
    void everyChangedByteOfANumberIsAnotherNumberOrAnError() throws IOException {
        // .npz has checksums: no change gets through unseen in what the names point to
        var whole = Files.readAllBytes(resource("compressed.npz"));
        var right = Weights.read(resource("compressed.npz"));
        int seen = 0;
        for (int at = 0; at < whole.length; at++) {
            var changed = whole.clone();
            changed[at] ^= 0x55;
            var file = Files.write(folder.resolve("changed.npz"), changed);
            try {
                var read = Weights.read(file);
                assertThat(right.values()).as("byte %d", at).containsAll(read.values());
            } catch (UsageError e) {
                assertThat(e).hasMessageNotContaining("\n");
                seen++;
            }
        }
        assertThat(seen).isGreaterThan(whole.length / 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}} | 12 | overlap
                    {"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}} | 12 | leave a gap
                    {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}} | 4 | needs 8
                    {"a":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}} | 2 | type 'F8_E4M3'
                    {"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} | 4 | Duplicate
                    {"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}} | 4 | size of -1
                    {"a":{"dtype":"F32","shape":[2147483647,2147483647,4],"data_offsets":[0,0]}} | 0 | needs
                    {"a":{"dtype":"F32","shape":[2147483647,1073741824,4],"data_offsets":[0,9223372036854775807]}} | 0 | 2 GiB
                    {"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} | 6 | longer than it should be
                    {"a":{"dtype":"F32","data_offsets":[0,4]}} | 4 | lacks its shape
                    [1] | 0 | no JSON object
                    {"a" | 0 | no JSON
                    """)
    void badHeadersSayWhatIsWrong(String header, int bytes, String message) throws IOException {
        var text = header.getBytes(StandardCharsets.UTF_8);
        var file =
                ByteBuffer.allocate(Long.BYTES + text.length + bytes)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(text.length)
                        .put(text);
        var path = Files.write(folder.resolve("bad.safetensors"), file.array());
        assertThatThrownBy(() -> Weights.read(path))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void headerThatIsTooLongIsNotAllocated() throws IOException {
        var bytes =
                ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(0, Long.MAX_VALUE);
        var path = Files.write(folder.resolve("bad.safetensors"), bytes.array());
        assertThatThrownBy(() -> Weights.read(path))
                .hasMessageContaining("its header would take 9223372036854775807 bytes");
    }

    @Test
    void unknownTypesAndEndingsSayWhatIsKnown() throws IOException {
        var text = resource("text.npy");
        assertThatThrownBy(() -> Weights.read(text))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("is of NumPy type '<U2'; known are f8, f4, f2");
        assertThatThrownBy(() -> Weights.read(Path.of("model.pt")))
                .hasMessageContaining("known are .safetensors, .npz and .npy");
        assertThatThrownBy(() -> Weights.read(folder.resolve("none.npz")))
                .hasMessageContaining("none.npz does not exist");
        assertThatThrownBy(
                        () -> Weights.write(folder.resolve("x.npy"), Array.zeros(2), Element.BF16))
                .hasMessageContaining("NumPy has not");
        assertThatThrownBy(() -> Weights.write(folder.resolve("x.npy"), model))
                .hasMessageContaining("write an .npz");
    }

    private Path resource(String name) throws IOException {
        var file = folder.resolve(name);
        try (var in = WeightsTest.class.getResourceAsStream(name)) {
            Files.write(file, Objects.requireNonNull(in).readAllBytes());
        }
        return file;
    }
}
