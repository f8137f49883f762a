package org.meshbook.magics.args;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Workspace;

/// A magic whose arguments are words and flags.
///
/// @param grammar what may be typed; names the magic
/// @param form where it may stand
/// @param group where `%help` lists it
/// @param about its help without the usage: a sentence, then examples
/// @param words what a word may be, by the workspace
/// @param action what it does
public record GrammarMagic(
        Grammar grammar, Form form, String group, String about, Words words, Action action)
        implements Magic {
    /// What a magic does.
    @FunctionalInterface
    public interface Action {
        /// @param given what was typed
        /// @param call the same as text
        /// @param cell where it stands
        /// @return what becomes the line's value, or null for none
        /// @throws Exception as [Magic#run] does
        @Nullable Object run(Given given, Call call, Cell cell) throws Exception;
    }

    /// Completes words.
    @FunctionalInterface
    public interface Words {
        /// @param start what is typed of the word
        /// @param workspace what cells have made
        /// @return what it could become
        List<String> starting(String start, Workspace workspace);
    }

    /// @param grammar what may be typed
    /// @param group where `%help` lists it
    /// @param about a sentence, then examples
    /// @param action what it does
    /// @return a line magic whose words are not completed
    public static GrammarMagic line(Grammar grammar, String group, String about, Action action) {
        return new GrammarMagic(grammar, Form.LINE, group, about, (_, _) -> List.of(), action);
    }

    /// @param words what a word may be
    /// @return this with its words completed
    public GrammarMagic completing(Words words) {
        return new GrammarMagic(grammar, form, group, about, words, action);
    }

    @Override
    public String name() {
        return grammar.command().replaceFirst("^%+", "");
    }

    @Override
    public String help() {
        return about.strip() + "\n\n" + grammar.usage();
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) throws Exception {
        return action.run(grammar.parse(call.arguments()), call, cell);
    }

    @Override
    public List<String> complete(String arguments, int cursor) {
        return grammar.complete(arguments, cursor);
    }

    @Override
    public List<String> complete(String arguments, int cursor, Workspace workspace) {
        var before = arguments.substring(0, Math.min(cursor, arguments.length()));
        var word = before.substring(before.lastIndexOf(' ') + 1);
        var flags = grammar.complete(arguments, cursor);
        return word.startsWith("-")
                ? flags
                : Stream.concat(words.starting(word, workspace).stream(), flags.stream()).toList();
    }
}
