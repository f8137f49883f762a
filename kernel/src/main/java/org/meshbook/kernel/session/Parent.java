package org.meshbook.kernel.session;

import java.util.List;
import org.meshbook.kernel.protocol.Header;

/// The request that a message belongs to.
///
/// @param route whom to answer
/// @param header the request's header
/// @param raw the same as it came, sent back byte by byte
record Parent(List<byte[]> route, Header header, byte[] raw) {}
