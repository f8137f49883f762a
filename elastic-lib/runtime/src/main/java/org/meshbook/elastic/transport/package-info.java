/// Bulk data between workers: links, mailboxes, and collectives over them. Imports nothing of ours
/// but `array`.
///
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.transport;

import org.jspecify.annotations.NullMarked;
