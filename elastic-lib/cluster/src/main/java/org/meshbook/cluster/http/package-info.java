/// A small HTTP/1.1 server over TLS, on loopback, that can be left for a WebSocket: the JDK's own
/// one cannot.
///
/// Understood are bodies of a given length and in chunks, `Expect: 100-continue`, connections that
/// are used again, answers of a given length and in chunks, and RFC 6455 without extensions.
///
/// Main path: accept → Head → Exchange → the handler → answer, stream or WebSocket
///
/// May import: the JDK. Threads: one virtual thread a connection; a WebSocket may be written by
/// any.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.http;

import org.jspecify.annotations.NullMarked;
