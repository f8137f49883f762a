/// What was run, across sessions, kept on disk: for the kernel's `history_request` and the
/// console's arrow keys. Imports nothing of ours.
///
/// Way: [History#ofUser] → [History#begin] → [HistorySession#add], and back by
/// [HistorySession#tail], [HistorySession#range], [HistorySession#search].
///
/// ## The file
///
/// `history.jsonl` in the folder `meshbook` below the user's state folder (`XDG_STATE_HOME`, else
/// `~/.local/state`; on Windows `LOCALAPPDATA`, on macOS `~/Library/Application Support`), or in
/// the folder that `MESHBOOK_HISTORY` or `-Dmeshbook.history` names; `off` there keeps nothing.
/// Only its owner may read it. UTF-8, one JSON object a line, only ever appended to:
///
/// | line | fields |
/// |---|---|
/// | first | `"format": "meshbook-history"`, `"version": 1`, `"dropped"`: highest session of which lines were dropped, 0 at first |
/// | a cell starts | `"session"`, `"line"` (its execution count), `"at"` (ISO 8601), `"in"` (its source) |
/// | its result | `"session"`, `"line"`, `"out"` (plain text, cut at 10,000 characters) |
///
/// Sessions are numbered from 1 when their first cell is written. A line that is no such object is
/// skipped, so that a torn one costs itself only. Above 8 MiB the file is replaced by its newer
/// half. Sources above 256 KiB are not written. Writers hold a lock on `history.lock` beside it for
/// as long as one append takes; it contains the number of the last session. Readers need no lock.
/// Version history: 1, first.
///
/// Threads: said at each type. Stability: experimental.
@NullMarked
package org.meshbook.kernel.history;

import org.jspecify.annotations.NullMarked;
