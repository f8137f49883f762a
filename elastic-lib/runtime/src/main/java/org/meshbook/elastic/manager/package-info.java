/// Elastic retry: which slices are active, when to wait, shrink, grow and give up.
///
/// May import: `slices`, `array`, `mesh`. Way: [Manager][org.meshbook.elastic.manager.Manager]
/// `.elasticRetry(retry, body)` → `RetryLoop` → `Wait` (probe until enough slices answer) → adopt →
/// body → [SliceLost][org.meshbook.elastic.slices.SliceLost] → free the attempt's arrays → event
/// callback → policy → again. Between two steps `Resizing` moves the program off slices that leave
/// and onto those that came. `Muster` keeps the roster true to what the head tells and probes find;
/// its `Monitor` probes inactive slices, at once when the head tells of a return. Threads: one
/// [Roster][org.meshbook.elastic.manager.Roster] is swapped whole, so every reader sees one moment;
/// one thread at a time owns the retry. Source: pathwaysutils' elastic manager,
/// https://github.com/AI-Hypercomputer/pathways-utils. Stability: experimental.
@NullMarked
package org.meshbook.elastic.manager;

import org.jspecify.annotations.NullMarked;
