package org.meshbook.kernel.jshell;

/// Something that could stand at the cursor.
///
/// @param text what would stand there
/// @param kind what it is
/// @param signature how it is called, as `(int a, int b) -> int`; empty if that is not known
public record Match(String text, Kind kind, String signature) {
    /// What a match is, in the words of Jupyter's front ends.
    public enum Kind {
        FUNCTION("function"),
        CLASS("class"),
        MODULE("module"),
        KEYWORD("keyword"),
        VARIABLE("instance"),
        MAGIC("magic"),
        OTHER("text");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /// @return the front ends' word for it
        public String word() {
            return word;
        }
    }
}
