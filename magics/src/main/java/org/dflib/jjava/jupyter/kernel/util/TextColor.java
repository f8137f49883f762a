package org.dflib.jjava.jupyter.kernel.util;

/// Escapes that colour text.
public enum TextColor {
    BLACK_FG("\033[30m"),
    BOLD_BLACK_FG("\033[1;30m"),
    RED_FG("\033[31m"),
    BOLD_RED_FG("\033[1;31m"),
    GREEN_FG("\033[32m"),
    BOLD_GREEN_FG("\033[1;32m"),
    YELLOW_FG("\033[33m"),
    BOLD_YELLOW_FG("\033[1;33m"),
    BLUE_FG("\033[34m"),
    BOLD_BLUE_FG("\033[1;34m"),
    MAGENTA_FG("\033[35m"),
    BOLD_MAGENTA_FG("\033[1;35m"),
    CYAN_FG("\033[36m"),
    BOLD_CYAN_FG("\033[1;36m"),
    WHITE_FG("\033[37m"),
    BOLD_WHITE_FG("\033[1;37m"),
    RESET_FG("\033[39m"),
    BLACK_BG("\033[40m"),
    RED_BG("\033[41m"),
    GREEN_BG("\033[42m"),
    YELLOW_BG("\033[43m"),
    BLUE_BG("\033[44m"),
    MAGENTA_BG("\033[45m"),
    CYAN_BG("\033[46m"),
    WHITE_BG("\033[47m"),
    RESET_BG("\033[49m"),
    BOLD_RESET_FG("\033[1;39m"),
    BOLD("\033[1m"),
    UNDERLINE("\033[4m"),
    SWAP_FG_BG("\033[7m"),
    RESET_ALL("\033[0m");

    private final String escape;

    TextColor(String escape) {
        this.escape = escape;
    }

    public String getAnsiEscape() {
        return escape;
    }

    @Override
    public String toString() {
        return escape;
    }

    public static String fg(int colour) {
        return "\033[38;5;" + colour + "m";
    }

    public static String fg(int red, int green, int blue) {
        return "\033[38;2;%d;%d;%dm".formatted(red, green, blue);
    }

    public static String bg(int colour) {
        return "\033[48;5;" + colour + "m";
    }

    public static String bg(int red, int green, int blue) {
        return "\033[48;2;%d;%d;%dm".formatted(red, green, blue);
    }
}
