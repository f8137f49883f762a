package org.meshbook.kernel.maven;

import java.net.URI;
import java.util.Locale;

/// A place where libraries lie.
///
/// @param id its name, by which settings.xml knows its credentials
/// @param url `https:`, `http:` or `file:`
/// @param releases how releases are taken from it
/// @param snapshots how snapshots are
public record Repository(String id, String url, Policy releases, Policy snapshots) {
    /// Maven Central.
    public static final Repository CENTRAL =
            new Repository(
                    "central", "https://repo.maven.apache.org/maven2", Policy.DAILY, Policy.NONE);

    /// How one kind of version is taken.
    ///
    /// @param enabled whether it is taken at all
    /// @param updates `always`, `daily`, `never` or `interval:MINUTES`
    /// @param checksums `fail`, `warn` or `ignore`; empty for the default: a wrong one fails, a
    ///   missing one does not
    public record Policy(boolean enabled, String updates, String checksums) {
        /// Taken, looked for once a day.
        public static final Policy DAILY = new Policy(true, "daily", "");

        /// Not taken.
        public static final Policy NONE = new Policy(false, "daily", "");
    }

    /// @param id its name
    /// @param url where it is, as typed
    /// @return a repository of releases and snapshots
    /// @throws MavenFailure if the URL is none
    public static Repository of(String id, String url) {
        return new Repository(id, checked(id, url), Policy.DAILY, Policy.DAILY);
    }

    private static String checked(String id, String url) {
        try {
            var scheme = URI.create(url).getScheme();
            if (scheme != null) {
                switch (scheme.toLowerCase(Locale.ROOT)) {
                    case "http", "https", "file" -> {
                        return url;
                    }
                    default ->
                            throw new MavenFailure(
                                    "repository '%s': '%s' is not served here; use an https:, http: or file: URL"
                                            .formatted(id, url));
                }
            }
        } catch (IllegalArgumentException e) {
            throw new MavenFailure(
                    "repository '%s': '%s' is no URL: %s".formatted(id, url, e.getMessage()), e);
        }
        throw new MavenFailure(
                "repository '%s': '%s' is no URL; it begins with https:, http: or file:"
                        .formatted(id, url));
    }

    @Override
    public String toString() {
        return id + " (" + url + ")";
    }
}
