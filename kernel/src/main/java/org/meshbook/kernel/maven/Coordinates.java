package org.meshbook.kernel.maven;

import java.util.List;
import java.util.regex.Pattern;

/// Which file of which library.
///
/// @param group group id
/// @param artifact artifact id
/// @param extension of the file, `jar` if nothing else was said
/// @param classifier empty for the main file
/// @param version a version, a range as `[1.0,2)`, `LATEST`, `RELEASE`, or empty for what a BOM
///   says
public record Coordinates(
        String group, String artifact, String extension, String classifier, String version) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.\\-]+");
    private static final Pattern VERSION = Pattern.compile("[^\\s:<>&*?\"/\\\\|]+");
    private static final Pattern BARE_RANGE = Pattern.compile("[\\[(][^\\])]*[\\])]");

    private static final String FORMS =
            "write group:artifact:version, group:artifact:extension[:classifier]:version"
                    + " or group:artifact:version:classifier@extension";

    /// @param text as typed
    /// @return what it names
    /// @throws MavenFailure if it names nothing
    public static Coordinates parse(String text) {
        int at = text.lastIndexOf('@');
        return at < 0 ? mavenStyle(text) : gradleStyle(text, at);
    }

    /// Maven's order; ambiguous with Gradle's `group:artifact:version:classifier`, which is meant
    /// when the third part begins like a version and the last does not.
    private static Coordinates mavenStyle(String text) {
        var parts = List.of(text.split(":", -1));
        return switch (parts.size()) {
            case 2 -> checked(text, parts.get(0), parts.get(1), "jar", "", "");
            case 3 -> checked(text, parts.get(0), parts.get(1), "jar", "", parts.get(2));
            case 4 ->
                    likeVersion(parts.get(2)) && !likeVersion(parts.get(3))
                            ? checked(
                                    text,
                                    parts.get(0),
                                    parts.get(1),
                                    "jar",
                                    parts.get(3),
                                    parts.get(2))
                            : checked(
                                    text,
                                    parts.get(0),
                                    parts.get(1),
                                    orJar(parts.get(2)),
                                    "",
                                    parts.get(3));
            case 5 ->
                    checked(
                            text,
                            parts.get(0),
                            parts.get(1),
                            orJar(parts.get(2)),
                            parts.get(3),
                            parts.get(4));
            default -> throw bad(text, parts.size() + " parts");
        };
    }

    private static Coordinates gradleStyle(String text, int at) {
        var parts = List.of(text.substring(0, at).split(":", -1));
        var extension = text.substring(at + 1);
        return switch (parts.size()) {
            case 3 -> checked(text, parts.get(0), parts.get(1), extension, "", parts.get(2));
            case 4 ->
                    checked(
                            text,
                            parts.get(0),
                            parts.get(1),
                            extension,
                            parts.get(3),
                            parts.get(2));
            default -> throw bad(text, parts.size() + " parts before '@'");
        };
    }

    private static boolean likeVersion(String part) {
        return !part.isEmpty()
                && (Character.isDigit(part.charAt(0)) || BARE_RANGE.matcher(part).matches());
    }

    private static String orJar(String extension) {
        return extension.isEmpty() ? "jar" : extension;
    }

    private static Coordinates checked(
            String text, String group, String artifact, String ext, String cls, String version) {
        require(text, "group", group);
        require(text, "artifact", artifact);
        require(text, "extension", ext);
        if (!cls.isEmpty()) {
            require(text, "classifier", cls);
        }
        if (!version.isEmpty() && !VERSION.matcher(version).matches()) {
            throw bad(text, "its version is '" + version + "'");
        }
        return new Coordinates(group, artifact, ext, cls, version);
    }

    private static void require(String text, String what, String part) {
        if (!ID.matcher(part).matches()) {
            throw bad(text, "its %s is '%s'".formatted(what, part));
        }
    }

    private static MavenFailure bad(String text, String found) {
        return new MavenFailure(
                "'%s' names no Maven artifact (%s); %s".formatted(text, found, FORMS));
    }

    /// @return group and artifact, which two versions of one library share
    public String library() {
        return group + ":" + artifact;
    }

    /// @return whether the version has to be looked up
    public boolean isOpen() {
        return version.isEmpty()
                || version.equals("LATEST")
                || version.equals("RELEASE")
                || version.startsWith("[")
                || version.startsWith("(");
    }

    /// @param version another version
    /// @return this with that version
    public Coordinates withVersion(String version) {
        return new Coordinates(group, artifact, extension, classifier, version);
    }

    /// @param extension another extension
    /// @return this with that extension
    public Coordinates withExtension(String extension) {
        return new Coordinates(group, artifact, extension, classifier, version);
    }

    @Override
    public String toString() {
        var middle = classifier.isEmpty() ? "" : ":" + extension + ":" + classifier;
        var named = middle.isEmpty() && !extension.equals("jar") ? ":" + extension : middle;
        return group + ":" + artifact + named + (version.isEmpty() ? "" : ":" + version);
    }
}
