package org.meshbook.elastic.checkpoint.tier.bucket;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/// An object store: named objects that appear as a whole, without renames.
public interface Bucket {
    /// @param name of an object
    /// @return takes its bytes; the object is there once it is closed
    /// @throws IOException as the store says it
    OutputStream create(String name) throws IOException;

    /// @param name of an object
    /// @param bytes all of it; it appears as one
    /// @throws IOException as the store says it
    void put(String name, byte[] bytes) throws IOException;

    /// @param name of an object
    /// @return all of it
    /// @throws IOException as the store says it, also if there is none
    byte[] get(String name) throws IOException;

    /// @param name of an object
    /// @param offset first byte
    /// @param length how many
    /// @return these bytes, fewer if it ends before
    /// @throws IOException as the store says it
    byte[] get(String name, long offset, int length) throws IOException;

    /// @param prefix that ends with `/`
    /// @return names of all objects below it, without the prefix, with their lengths
    /// @throws IOException as the store says it
    Map<String, Long> list(String prefix) throws IOException;

    /// @param name of an object; there may be none
    /// @throws IOException as the store says it
    void delete(String name) throws IOException;
}
