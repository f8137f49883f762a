package org.meshbook.magics.args;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;

/// What may stand after one magic or command.
///
/// @param command as it is typed, as `%slices` or `bench recovery`
/// @param words names of the words that may stand there, in order, each at most once; the last one
///   any number of times if it ends with `...`
/// @param flags the flags
public record Grammar(String command, List<String> words, List<Flag> flags) {
    private static final int WIDTH = 120;

    /// Parts the values of a flag that was given again.
    static final String AGAIN = "\0";

    public Grammar {
        words = List.copyOf(words);
        flags = List.copyOf(flags);
    }

    /// @param line the text after the name, words parted by blanks; quotes keep blanks
    /// @return what was given
    /// @throws MagicException if it does not fit; one line that names what is known
    public Given parse(String line) {
        return parse(split(line));
    }

    /// @param arguments the words after the name
    /// @return what was given
    /// @throws MagicException if it does not fit; one line that names what is known
    public Given parse(List<String> arguments) {
        var given = new ArrayList<String>();
        var values = new LinkedHashMap<String, String>();
        var rest = arguments.iterator();
        while (rest.hasNext()) {
            var argument = rest.next();
            if (!isFlag(argument)) {
                given.add(word(argument, given.size()));
                continue;
            }
            int equals = argument.indexOf('=');
            var flag = flag(equals < 0 ? argument : argument.substring(0, equals));
            var value = equals < 0 ? "" : argument.substring(equals + 1);
            if (flag.takesValue() && equals < 0) {
                value = rest.hasNext() ? rest.next() : "";
            }
            check(flag, value);
            if (flag.mayComeAgain()) {
                values.merge(flag.name(), value, (before, next) -> before + AGAIN + next);
            } else {
                values.put(flag.name(), value);
            }
        }
        return new Given(this, given, values);
    }

    /// Reads the flags at the beginning only: what follows is code and stays as it was typed.
    ///
    /// @param line the text after the name; `--` ends the flags
    /// @return what was given, and the rest
    /// @throws MagicException if a flag does not fit; one line that names what is known
    public Leading leading(String line) {
        var taken = new ArrayList<String>();
        var rest = line.strip();
        while (rest.startsWith("-")) {
            var end = end(rest);
            var word = rest.substring(0, end);
            if (word.equals("--")) {
                rest = rest.substring(2).strip();
                break;
            }
            var known = known(word).isPresent();
            if (!known && !word.matches("--\\p{Alpha}[\\w-]+(=.*)?")) {
                break;
            }
            taken.add(word);
            rest = rest.substring(end).strip();
            if (known(word).filter(Flag::takesValue).isPresent() && !rest.isEmpty()) {
                taken.add(rest.substring(0, end(rest)));
                rest = rest.substring(end(rest)).strip();
            }
        }
        return new Leading(parse(taken), rest);
    }

    private static int end(String text) {
        var end = 0;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /// Flags, and the code behind them.
    ///
    /// @param given the flags
    /// @param rest what follows, as it was typed
    public record Leading(Given given, String rest) {}

    private Optional<Flag> known(String name) {
        return flags.stream().filter(f -> f.name().equals(name)).findFirst();
    }

    /// `--word`, or a known `-w`: `-1` is a word.
    private boolean isFlag(String argument) {
        return argument.startsWith("--") || argument.matches("-\\p{Alpha}");
    }

    /// @param arguments the text after the name
    /// @param cursor position in it
    /// @return flags that can stand at the cursor
    public List<String> complete(String arguments, int cursor) {
        var before = arguments.substring(0, Math.min(cursor, arguments.length()));
        var word = before.substring(before.lastIndexOf(' ') + 1);
        var earlier = List.of(before.substring(0, before.length() - word.length()).split(" +"));
        var last = earlier.getLast();
        if (flags.stream().anyMatch(f -> f.name().equals(last) && f.takesValue())) {
            return List.of();
        }
        return flags.stream()
                .map(Flag::name)
                .filter(name -> name.startsWith(word) && !earlier.contains(name))
                .toList();
    }

    /// @return one line of usage and one a flag
    public String usage() {
        var start = new StringBuilder(command);
        words.forEach(w -> start.append(" [").append(w).append("]"));
        var each = new StringBuilder();
        flags.forEach(f -> each.append(" [").append(f.usage()).append("]"));
        boolean fits = start.length() + each.length() <= WIDTH;
        var text = new StringBuilder(start).append(fits ? each : " [FLAG]...");
        int width = flags.stream().mapToInt(f -> f.usage().length()).max().orElse(0);
        for (var flag : flags) {
            text.append("\n  %-".concat(width + "s  %s").formatted(flag.usage(), flag.meaning()));
        }
        return text.toString();
    }

    private void check(Flag flag, String value) {
        if (flag.takesValue() && (value.isEmpty() || value.startsWith("--"))) {
            throw new MagicException(
                    "%s of %s needs a value: %s, %s"
                            .formatted(flag.name(), command, flag.usage(), flag.meaning()));
        }
        if (!flag.takesValue() && !value.isEmpty()) {
            throw new MagicException(
                    "%s of %s takes no value; '%s' was given"
                            .formatted(flag.name(), command, value));
        }
    }

    private String word(String argument, int place) {
        boolean many = !words.isEmpty() && words.getLast().endsWith("...");
        if (place >= words.size() && !many) {
            throw new MagicException(
                    "%s does not understand '%s'; usage: %s"
                            .formatted(command, argument, usage().lines().findFirst().orElse("")));
        }
        return argument;
    }

    private Flag flag(String name) {
        var names = flags.stream().map(Flag::name).toList();
        return known(name)
                .orElseThrow(
                        () ->
                                new MagicException(
                                        "%s has no flag %s%s; it has %s"
                                                .formatted(
                                                        command,
                                                        name,
                                                        Nearest.hint(name, names),
                                                        names.isEmpty()
                                                                ? "none"
                                                                : String.join(", ", names))));
    }

    private static List<String> split(String line) {
        var words = new ArrayList<String>();
        var word = new StringBuilder();
        boolean quoted = false;
        boolean any = false;
        for (char c : line.toCharArray()) {
            if (c == '"') {
                quoted = !quoted;
                any = true;
            } else if (Character.isWhitespace(c) && !quoted) {
                if (any || !word.isEmpty()) {
                    words.add(word.toString());
                }
                word.setLength(0);
                any = false;
            } else {
                word.append(c);
            }
        }
        if (any || !word.isEmpty()) {
            words.add(word.toString());
        }
        return words;
    }
}
