package org.meshbook.kernel.notebook;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Words for what file systems refuse.
final class Failures {
    private Failures() {}

    static String why(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "there is no folder for it";
            case AccessDeniedException denied -> "permission denied";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
