package org.meshbook.kernel.protocol;

/// Cursors: the protocol counts code points, Java counts UTF-16 units.
final class CodePoints {
    private CodePoints() {}

    /// @param text what the cursor is in
    /// @param points code points before the cursor; outside of the text it is moved to its edge
    /// @return UTF-16 units before it
    static int toUnits(String text, int points) {
        if (points <= 0) {
            return 0;
        }
        var units = 0;
        for (var left = points; left > 0 && units < text.length(); left--) {
            units += Character.charCount(text.codePointAt(units));
        }
        return units;
    }

    /// @param text what the cursor is in
    /// @param units UTF-16 units before the cursor; outside of the text it is moved to its edge
    /// @return code points before it
    static int toPoints(String text, int units) {
        return text.codePointCount(0, Math.clamp(units, 0, text.length()));
    }
}
