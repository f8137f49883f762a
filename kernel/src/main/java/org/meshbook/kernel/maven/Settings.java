package org.meshbook.kernel.maven;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What the user's and the installation's `settings.xml` say, as far as finding libraries needs it.
///
/// @param localRepository where files are kept, if it is said
/// @param offline whether nothing is to be fetched
/// @param mirrors stand in for repositories
/// @param proxies ways out
/// @param servers credentials by repository or mirror id
/// @param repositories those of the active profiles
public record Settings(
        Optional<Path> localRepository,
        boolean offline,
        List<Mirror> mirrors,
        List<Proxy> proxies,
        List<Server> servers,
        List<Repository> repositories) {
    /// Nothing said.
    public static final Settings NONE =
            new Settings(Optional.empty(), false, List.of(), List.of(), List.of(), List.of());

    public Settings {
        mirrors = List.copyOf(mirrors);
        proxies = List.copyOf(proxies);
        servers = List.copyOf(servers);
        repositories = List.copyOf(repositories);
    }

    /// Stands in for repositories.
    ///
    /// @param id its name
    /// @param url where it is; may be empty if it is blocked
    /// @param mirrorOf which repositories, in Maven's pattern language
    /// @param blocked whether it only keeps others from being asked
    public record Mirror(String id, String url, String mirrorOf, boolean blocked) {}

    /// A way out.
    ///
    /// @param protocol of the repositories that are reached through it: `http` or `https`
    /// @param host its host
    /// @param port its port
    /// @param user empty if it asks for none
    /// @param password may be encrypted
    /// @param bypass hosts that are reached without it, `*` for any text
    /// @param source who said so, for the user
    public record Proxy(
            String protocol,
            String host,
            int port,
            String user,
            String password,
            List<String> bypass,
            String source) {
        public Proxy {
            bypass = List.copyOf(bypass);
        }

        /// @return the password
        /// @throws MavenFailure if it is encrypted
        public String secret() {
            return plain(password, "proxy '" + host + "'");
        }

        @Override
        public String toString() {
            return "proxy %s:%d (%s)".formatted(host, port, source);
        }
    }

    /// Credentials.
    ///
    /// @param id of the repository, mirror or proxy
    /// @param user user name
    /// @param password may be encrypted
    public record Server(String id, String user, String password) {
        /// @return the password
        /// @throws MavenFailure if it is encrypted
        public String secret() {
            return plain(password, "server '" + id + "'");
        }
    }

    static String plain(String password, String whose) {
        if (password.startsWith("{") && password.endsWith("}")) {
            throw new MavenFailure(
                    "the password of %s in settings.xml is encrypted, and Maven's master password is not read here; write ${env.NAME} there and set that variable"
                            .formatted(whose));
        }
        return password;
    }

    /// @param fallback what holds where this says nothing
    /// @return both
    Settings over(Settings fallback) {
        return new Settings(
                localRepository.or(fallback::localRepository),
                offline || fallback.offline,
                both(mirrors, fallback.mirrors),
                both(proxies, fallback.proxies),
                both(servers, fallback.servers),
                both(repositories, fallback.repositories));
    }

    private static <T> List<T> both(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
