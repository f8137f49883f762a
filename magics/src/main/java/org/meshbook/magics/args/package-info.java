/// What was typed after a magic or a command, read by one grammar: flags, words, completion, and
/// errors that name the nearest known thing.
///
/// May import: `kernel.spi`. Way: [org.meshbook.magics.args.Grammar] →
/// [org.meshbook.magics.args.Given]. Threads: immutable. Stability: internal.
@NullMarked
package org.meshbook.magics.args;

import org.jspecify.annotations.NullMarked;
