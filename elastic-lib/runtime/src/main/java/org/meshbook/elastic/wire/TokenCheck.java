package org.meshbook.elastic.wire;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// The token that every call must show: made here, sent here, checked here.
public final class TokenCheck {
    private static final Metadata.Key<String> KEY =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final String SCHEME = "Bearer ";
    private static final int TOKEN_BYTES = 32;

    private TokenCheck() {}

    /// @return a fresh random token of 256 bits, in hexadecimal
    public static String newToken() {
        var bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// Compares in a time that does not depend on where the two differ.
    ///
    /// @param expected the right token
    /// @param shown what a caller showed
    /// @return whether they are equal
    public static boolean matches(String expected, String shown) {
        return MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8));
    }

    /// Shows a token with every call.
    ///
    /// @param token the token
    /// @return to put on a channel
    public static ClientInterceptor showing(String token) {
        return new ClientInterceptor() {
            @Override
            public <Q, A> ClientCall<Q, A> interceptCall(
                    MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
                return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                    @Override
                    public void start(Listener<A> listener, Metadata headers) {
                        headers.put(KEY, SCHEME + token);
                        super.start(listener, headers);
                    }
                };
            }
        };
    }

    /// Refuses calls that show another token.
    ///
    /// @param token the right one
    /// @return to put on a server
    public static ServerInterceptor requiring(String token) {
        return requiring((method, shown) -> matches(token, shown));
    }

    /// Refuses calls whose token does not fit their method.
    ///
    /// @param fits takes the bare name of a method and the token shown, empty if none was
    /// @return to put on a server
    public static ServerInterceptor requiring(BiPredicate<String, String> fits) {
        return new ServerInterceptor() {
            @Override
            public <Q, A> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                if (!fits.test(bareName(call.getMethodDescriptor()), shown(headers.get(KEY)))) {
                    call.close(
                            Status.UNAUTHENTICATED.withDescription("wrong or missing token"),
                            new Metadata());
                    return new ServerCall.Listener<>() {};
                }
                return next.startCall(call, headers);
            }
        };
    }

    private static String shown(@Nullable String header) {
        return header != null && header.startsWith(SCHEME) ? header.substring(SCHEME.length()) : "";
    }

    private static String bareName(MethodDescriptor<?, ?> method) {
        var name = method.getBareMethodName();
        return name == null ? "" : name;
    }
}
