package org.meshbook.elastic.engine.xla;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// How programs are compiled, as the bytes of XLA's `CompileOptionsProto`.
///
/// Source: https://github.com/openxla/xla/blob/main/xla/pjrt/proto/compile_options.proto
final class CompileOptions {
    private static final int BUILD_OPTIONS = 3;
    private static final int REPLICAS = 4;
    private static final int PARTITIONS = 5;
    private static final int OVERRIDES = 7;
    private static final int KEY = 1;
    private static final int VALUE = 2;
    private static final int TRUTH = 2;

    private CompileOptions() {}

    /// One device: without a word about replicas XLA finds none and ends the process. Minimum and
    /// maximum yield NaN where an operand is, as StableHLO says; XLA's own default does not.
    static byte[] oneDevice() {
        var build = new ByteArrayOutputStream();
        number(build, REPLICAS, 1);
        number(build, PARTITIONS, 1);
        var off = new ByteArrayOutputStream();
        number(off, TRUTH, 0);
        var override = new ByteArrayOutputStream();
        bytes(override, KEY, "xla_cpu_enable_fast_min_max".getBytes(StandardCharsets.UTF_8));
        bytes(override, VALUE, off.toByteArray());
        var options = new ByteArrayOutputStream();
        bytes(options, BUILD_OPTIONS, build.toByteArray());
        bytes(options, OVERRIDES, override.toByteArray());
        return options.toByteArray();
    }

    /// Numbers and lengths here are below 128, which is one byte each.
    private static void number(ByteArrayOutputStream out, int field, int value) {
        out.write(field << 3);
        out.write(value);
    }

    private static void bytes(ByteArrayOutputStream out, int field, byte[] value) {
        out.write(field << 3 | 2);
        out.write(value.length);
        out.writeBytes(value);
    }
}
