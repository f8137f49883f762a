package org.meshbook.magics.queue;

import org.meshbook.cluster.outlook.QuotaUse;

/// Quota as a bar: its own that is used, what is borrowed beyond it, and what is left of its own.
final class QuotaBar {
    private static final int CELLS = 20;
    private static final int WIDTH = 160;

    private QuotaBar() {}

    /// The whole stands for what it owns, or for what it uses if that is more.
    private static int part(long amount, QuotaUse quota, int all) {
        long whole = Math.max(1, Math.max(quota.nominal(), quota.used()));
        return (int) Math.round((double) amount * all / whole);
    }

    private static long own(QuotaUse quota) {
        return Math.min(quota.used(), quota.nominal());
    }

    /// @return such as `[██████░░··········]`: used, borrowed, left
    static String text(QuotaUse quota) {
        int used = part(own(quota), quota, CELLS);
        int borrowed = Math.min(CELLS - used, part(quota.borrowed(), quota, CELLS));
        return "["
                + "█".repeat(used)
                + "░".repeat(borrowed)
                + "·".repeat(CELLS - used - borrowed)
                + "]";
    }

    /// @return the same as two coloured stripes in a frame
    static String html(QuotaUse quota) {
        return ("<span style=\"display:inline-block;width:%dpx;height:.7em;border:1px solid"
                        + " currentColor;white-space:nowrap;overflow:hidden;line-height:0\""
                        + " role=\"img\" aria-label=\"%s of %s used\">%s%s</span>")
                .formatted(
                        WIDTH,
                        quota.text(quota.used()),
                        quota.text(quota.nominal()),
                        stripe(part(own(quota), quota, WIDTH), "#4c78a8"),
                        stripe(part(quota.borrowed(), quota, WIDTH), "#f58518"));
    }

    private static String stripe(int width, String colour) {
        return width == 0
                ? ""
                : "<span style=\"display:inline-block;width:%dpx;height:100%%;background:%s\"></span>"
                        .formatted(width, colour);
    }
}
