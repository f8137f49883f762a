package org.meshbook.elastic.checkpoint.tier.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// The checkpoints of one run in one place. A step is there as a whole or not at all.
public interface TierStore {
    /// Begins a file of a step that is not committed.
    ///
    /// @param step number of the step
    /// @param writer who does it
    /// @param file name of the file
    /// @return takes the bytes
    /// @throws IOException as the system says it
    Sink create(long step, Writer writer, String file) throws IOException;

    /// Makes a step visible: manifest on disk first, then one atomic change. A step of that number
    /// that was there is put aside, never deleted.
    ///
    /// @param step number of the step
    /// @param attempt which save of it
    /// @param manifest its manifest
    /// @throws IOException as the system says it
    void commit(long step, String attempt, byte[] manifest) throws IOException;

    /// Removes what a save left that failed.
    ///
    /// @param step number of the step
    /// @param attempt which save of it
    /// @throws IOException as the system says it
    void discard(long step, String attempt) throws IOException;

    /// @return what is committed, in no order; what has no manifest is not there
    /// @throws IOException as the system says it
    List<Found> scan() throws IOException;

    /// @param step number of a step
    /// @return its manifest
    /// @throws IOException as the system says it
    byte[] manifest(long step) throws IOException;

    /// Reads a part of a file of a committed step.
    ///
    /// @param step number of the step
    /// @param attempt which save of it
    /// @param file name of the file
    /// @param offset first byte
    /// @param into filled from its position to its limit
    /// @throws IOException as the system says it; also if the file is shorter
    void read(long step, String attempt, String file, long offset, ByteBuffer into)
            throws IOException;

    /// Deletes a committed step: it becomes invisible first.
    ///
    /// @param step number of the step
    /// @throws IOException as the system says it
    void delete(long step) throws IOException;

    /// Makes a committed step invisible and keeps its bytes.
    ///
    /// @param step number of the step
    /// @throws IOException as the system says it
    void putAside(long step) throws IOException;

    /// Removes what saves left that nobody is going to commit; never what is being written, and
    /// nothing that is not known.
    ///
    /// @param asking who asks
    /// @param live attempts that the asking process is still writing
    /// @param now time
    /// @return how many were removed
    /// @throws IOException as the system says it
    int sweep(Writer asking, Set<String> live, Instant now) throws IOException;

    /// Takes the bytes of one file.
    interface Sink extends AutoCloseable {
        /// @param bytes from position to limit
        /// @throws IOException as the system says it
        void write(ByteBuffer bytes) throws IOException;

        /// Everything is with the system, safely.
        ///
        /// @throws IOException as the system says it
        void finish() throws IOException;

        @Override
        void close() throws IOException;
    }
}
