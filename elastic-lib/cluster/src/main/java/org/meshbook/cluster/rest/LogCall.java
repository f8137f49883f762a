package org.meshbook.cluster.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.meshbook.cluster.ApiException;
import org.meshbook.cluster.ApiException.Cause;
import org.meshbook.cluster.Logs;
import org.meshbook.cluster.http.Exchange;

/// `GET …/pods/NAME/log`: lines of text as they come, or a Status if there are none to read.
final class LogCall {
    private final Call call;
    private final Logs logs;

    LogCall(Call call, Logs logs) {
        this.call = call;
        this.logs = logs;
    }

    /// Answers, until the container has ended or the client is gone.
    void answer(Exchange exchange, InstantSource clock) throws IOException, InterruptedException {
        var options = options(clock);
        try (var text = new Text(exchange, number("limitBytes", 1).orElse(Integer.MAX_VALUE))) {
            logs.logs(call.key(), options, text);
            text.start();
        } catch (Full limit) {
            // All that was asked for is sent.
        } catch (UncheckedIOException gone) {
            throw gone.getCause();
        }
    }

    private Logs.Options options(InstantSource clock) {
        return new Logs.Options(
                call.asked("container"),
                call.isTrue("follow"),
                call.isTrue("previous"),
                call.isTrue("timestamps"),
                number("tailLines", 0),
                since(clock));
    }

    private Optional<Instant> since(InstantSource clock) {
        var seconds = number("sinceSeconds", 1);
        var time = call.asked("sinceTime");
        if (seconds.isPresent()) {
            return Optional.of(clock.instant().minusSeconds(seconds.getAsInt()));
        }
        try {
            return time.isEmpty()
                    ? Optional.empty()
                    : Optional.of(OffsetDateTime.parse(time).toInstant());
        } catch (DateTimeException misread) {
            throw invalid("sinceTime", "Invalid value: \"%s\": must be a time".formatted(time));
        }
    }

    private OptionalInt number(String parameter, int least) {
        var asked = call.asked(parameter);
        if (asked.isEmpty()) {
            return OptionalInt.empty();
        }
        if (!asked.matches("\\d{1,18}") || Long.parseLong(asked) < least) {
            throw invalid(
                    parameter,
                    "Invalid value: %s: must be greater than or equal to %d"
                            .formatted(asked, least));
        }
        return OptionalInt.of((int) Math.min(Long.parseLong(asked), Integer.MAX_VALUE));
    }

    private static ApiException invalid(String field, String message) {
        var cause = new Cause("FieldValueInvalid", field, message);
        return new ApiException(
                422,
                "Invalid",
                "PodLogOptions \"\" is invalid: %s: %s".formatted(field, message),
                List.of(cause));
    }

    /// As many bytes are written as were asked for.
    private static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /// The answer's body; its head is sent once there is something to say, so that a refusal can
    /// still be one.
    private static final class Text implements Logs.Lines, AutoCloseable {
        private final Exchange exchange;
        private long leftBytes;
        private @Nullable OutputStream out;

        Text(Exchange exchange, long limitBytes) {
            this.exchange = exchange;
            leftBytes = limitBytes;
        }

        OutputStream start() throws IOException {
            var started = out;
            if (started == null) {
                started = exchange.stream("text/plain");
                out = started;
            }
            return started;
        }

        @Override
        public void line(String text) {
            var bytes = (text + "\n").getBytes(UTF_8);
            int length = (int) Math.min(bytes.length, leftBytes);
            leftBytes -= length;
            try {
                start().write(bytes, 0, length);
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
            if (leftBytes == 0) {
                throw new Full();
            }
        }

        @Override
        public void idle() {
            try {
                start().flush();
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }

        @Override
        public void close() throws IOException {
            var started = out;
            if (started != null) {
                started.flush();
            }
        }
    }
}
