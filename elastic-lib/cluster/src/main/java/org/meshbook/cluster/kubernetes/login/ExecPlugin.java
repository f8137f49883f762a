package org.meshbook.cluster.kubernetes.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ClusterUnreachable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A program that prints a token, as `gke-gcloud-auth-plugin`: run at the first request, when its
/// token is over, and when a server does not accept it.
///
/// What it prints on stderr is no part of the token; it is shown only if the program fails. Many
/// who ask at once wait for one run.
///
/// Source:
/// https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
final class ExecPlugin implements Credentials {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration MOST = Duration.ofMinutes(2);

    private final JsonNode spec;
    private final Path folder;
    private final InstantSource clock;
    private final AtomicReference<@Nullable FutureTask<Token>> current = new AtomicReference<>();

    private record Token(String header, Optional<Instant> end) {}

    /// @param spec `user.exec` of a kubeconfig
    /// @param folder where that stands; a relative command is looked for there
    /// @param clock tells when a token is over
    ExecPlugin(JsonNode spec, Path folder, InstantSource clock) {
        this.spec = spec;
        this.folder = folder;
        this.clock = clock;
    }

    @Override
    public String header() {
        var task = current.get();
        if (task == null || (task.state() == FutureTask.State.SUCCESS && over(task.resultNow()))) {
            task = replace(task);
        }
        return token(task).header();
    }

    private boolean over(Token token) {
        return token.end().filter(end -> !end.isAfter(clock.instant())).isPresent();
    }

    @Override
    public boolean renew(String refused) {
        var task = current.get();
        if (task == null
                || (task.state() == FutureTask.State.SUCCESS
                        && task.resultNow().header().equals(refused))) {
            task = replace(task);
        }
        return !token(task).header().equals(refused);
    }

    private FutureTask<Token> replace(@Nullable FutureTask<Token> old) {
        var fresh = new FutureTask<>(this::run);
        if (current.compareAndSet(old, fresh)) {
            fresh.run();
            return fresh;
        }
        var other = current.get();
        return other == null ? replace(null) : other;
    }

    private Token token(FutureTask<Token> task) {
        try {
            return task.get();
        } catch (ExecutionException e) {
            current.compareAndSet(task, null);
            throw e.getCause() instanceof ClusterUnreachable known
                    ? known
                    : failed(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("interrupted", e);
        }
    }

    private Token run() throws InterruptedException {
        Process process;
        try {
            process = builder().start();
        } catch (IOException e) {
            var hint = spec.path("installHint").asString("install it").strip().lines().findFirst();
            throw failed("cannot be started; " + hint.orElse("install it"), e);
        }
        try {
            var said = new FutureTask<>(() -> text(process.getErrorStream()));
            var printed = new FutureTask<>(() -> text(process.getInputStream()));
            Thread.ofVirtual().name("meshbook-login-stderr").start(said);
            Thread.ofVirtual().name("meshbook-login-stdout").start(printed);
            if (!process.waitFor(MOST.toSeconds(), TimeUnit.SECONDS)) {
                throw failed("gave no token within 2m", null);
            }
            if (process.exitValue() != 0) {
                var last = said.get().strip().lines().reduce("", (_, line) -> line);
                throw failed("ended with %d: %s".formatted(process.exitValue(), last), null);
            }
            return read(printed.get());
        } catch (ExecutionException e) {
            throw failed("cannot be read", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private ProcessBuilder builder() {
        var command = new ArrayList<String>();
        var program = spec.path("command").asString("");
        command.add(program.contains("/") ? folder.resolve(program).toString() : program);
        spec.path("args").values().forEach(arg -> command.add(arg.asString("")));
        var builder = new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile());
        for (var variable : spec.path("env").values()) {
            builder.environment()
                    .put(variable.path("name").asString(""), variable.path("value").asString(""));
        }
        var info = JSON.createObjectNode().put("kind", "ExecCredential");
        info.put("apiVersion", spec.path("apiVersion").asString(""))
                .putObject("spec")
                .put("interactive", false);
        builder.environment().put("KUBERNETES_EXEC_INFO", info.toString());
        return builder;
    }

    private static String text(InputStream in) {
        try (in) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Token read(String printed) {
        try {
            var status = JSON.readTree(printed).path("status");
            var token = status.path("token").asString("");
            if (token.isEmpty()) {
                throw failed("printed no token, and only tokens are understood", null);
            }
            var end = status.path("expirationTimestamp").asString("");
            return new Token(
                    "Bearer " + token,
                    end.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(end)));
        } catch (JacksonException | DateTimeParseException e) {
            throw failed("printed no ExecCredential", e);
        }
    }

    private ClusterUnreachable failed(String why, @Nullable Throwable cause) {
        var text =
                "the login program \"%s\" %s; run it by hand to see more"
                        .formatted(spec.path("command").asString(""), why);
        return cause == null ? new ClusterUnreachable(text) : new ClusterUnreachable(text, cause);
    }
}
