package org.meshbook.elastic.checkpoint.unit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Set;
import org.meshbook.elastic.UsageError;

/// A value that could change after the save, as it was then: each thaw is a fresh copy.
///
/// A random generator, a counter or an array of numbers is written by Java's own serialization, and
/// never read from anywhere but this process's memory.
public final class Frozen {
    private static final Set<Class<?>> VALUES =
            Set.of(
                    Byte.class,
                    Short.class,
                    Integer.class,
                    Long.class,
                    Float.class,
                    Double.class,
                    Boolean.class,
                    Character.class,
                    String.class,
                    BigInteger.class,
                    BigDecimal.class);

    private final Class<?> type;
    private final byte[] bytes;

    private Frozen(Class<?> type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /// @param path where it stands, for the error
    /// @param value a value beside the arrays
    /// @return the value if it can never change, else a frozen copy
    /// @throws UsageError if it may change and cannot be copied
    static Object of(String path, Object value) {
        if (VALUES.contains(value.getClass()) || value instanceof Enum) {
            return value;
        }
        UsageError.require(
                value instanceof Serializable,
                "'%s' is a %s, which may change after the save and cannot be copied; make it"
                        + " Serializable, or keep what it is made of: numbers, strings, records, arrays",
                path,
                value.getClass().getName());
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new UsageError(
                    "'%s' is a %s that cannot be copied: %s; keep numbers, strings, records or arrays",
                    path, value.getClass().getName(), e);
        }
        return new Frozen(value.getClass(), bytes.toByteArray());
    }

    /// @return a fresh copy of the value
    public Object thaw() {
        try (var in = new Reader(new ByteArrayInputStream(bytes), type.getClassLoader())) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new UsageError("a saved %s cannot be read again: %s", type.getName(), e);
        }
    }

    /// Classes of cells are known to the loader of the value's class, not to ours.
    private static final class Reader extends ObjectInputStream {
        private final ClassLoader loader;

        Reader(InputStream in, ClassLoader loader) throws IOException {
            super(in);
            this.loader = loader;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described)
                throws IOException, ClassNotFoundException {
            try {
                return Class.forName(described.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(described);
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Frozen that
                && type.equals(that.type)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }
}
