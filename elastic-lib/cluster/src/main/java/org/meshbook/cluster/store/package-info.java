/// Keeps objects: one counter of versions, one order of changes, watches that hear them in it.
///
/// A [Store] knows nothing of kinds' rules; it compares versions, keeps the objects by kind and
/// name and by owner, and tells of each change once.
///
/// Main path: Store.put → counter + 1 → Journal → Feed → listener
///
/// A store that outlives its process keeps a folder with two files. `lock` is locked while a
/// process has the store open. `objects.log`, version 1, is the eight bytes `MESHOBJ1` and then
/// records: a length (4 bytes, big-endian), the CRC-32C of the body (4 bytes), the body of that
/// length. A body is a letter and text in UTF-8: `P`, an object as JSON, put in the place of the
/// one of its name; `D`, kind, namespace, name and resourceVersion of one that is gone, as JSON;
/// `V`, in a file that was made shorter, the counter when it was made and the number of objects
/// then: as many `P` follow, and records after them that are not newer than the counter are
/// skipped. The file is read to its end, or to the first record that is not whole or has another
/// checksum; the rest is cut off: it was being written when the process ended. It is made shorter
/// (as `objects.log.new`, forced, then moved) when it is 8 MiB and three times as long as after the
/// last time. A change is in the hands of the operating system before anybody hears of it, and on
/// the disk 100 ms later. Controllers go ahead of the file ([Store#ahead]): their writes return at
/// once and go there together, they hear of changes at once, and all others when they are there.
///
/// May import: cluster. Threads: any; a lock guards the tables, listeners are called outside it,
/// each by one thread at a time.
///
/// Stability: internal.
@NullMarked
package org.meshbook.cluster.store;

import org.jspecify.annotations.NullMarked;
