package org.meshbook.elastic.data.source;

import static org.meshbook.elastic.UsageError.require;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.Array;

/// Reads comma-separated values as RFC 4180 has them: UTF-8, a header line, fields in quotes where
/// they hold commas, quotes or line ends.
public final class CsvFile {
    private static final char QUOTE = '"';

    private final Path file;
    private final String text;
    private int at;
    private int line = 1;

    private CsvFile(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    /// @param file with a header line
    /// @return its columns
    /// @throws UsageError if it cannot be read, has no rows, or a row has other fields than the
    ///   header; names the line
    public static Table read(Path file) {
        try {
            var text = Files.readString(file);
            // editors of one family begin files with a mark
            return new CsvFile(file, text.startsWith("\uFEFF") ? text.substring(1) : text).table();
        } catch (MalformedInputException e) {
            throw new UsageError("%s is not UTF-8; save it as UTF-8", file);
        } catch (IOException e) {
            throw new UsageError("%s cannot be read: %s", file, String.valueOf(e));
        }
    }

    private Table table() {
        var header = row();
        var columns = new ArrayList<List<String>>();
        header.forEach(name -> columns.add(new ArrayList<>()));
        while (at < text.length()) {
            int began = line;
            var fields = row();
            if (fields.equals(List.of("")) && header.size() > 1) {
                continue;
            }
            require(
                    fields.size() == header.size(),
                    "line %d of %s has %d fields, its header %d; mend the line",
                    began,
                    file,
                    fields.size(),
                    header.size());
            for (int i = 0; i < fields.size(); i++) {
                columns.get(i).add(fields.get(i));
            }
        }
        require(!columns.getFirst().isEmpty(), "%s has no rows below its header", file);
        var arrays = new LinkedHashMap<String, Array>();
        var words = new HashMap<String, List<String>>();
        for (int i = 0; i < header.size(); i++) {
            var name = header.get(i).strip();
            var typed = new TextColumn(columns.get(i)).typed();
            require(
                    arrays.put(name, typed.array()) == null,
                    "%s has two columns '%s'; give each a name of its own",
                    file,
                    name);
            if (!typed.words().isEmpty()) {
                words.put(name, typed.words());
            }
        }
        return new Table(arrays, words);
    }

    private List<String> row() {
        var fields = new ArrayList<String>();
        do {
            fields.add(at < text.length() && text.charAt(at) == QUOTE ? quoted() : plain());
        } while (at < text.length() && text.charAt(at++) == ',');
        if (at < text.length() && text.charAt(at - 1) == '\r' && text.charAt(at) == '\n') {
            at++;
        }
        line++;
        return fields;
    }

    private String plain() {
        int from = at;
        while (at < text.length() && ",\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(from, at).strip();
    }

    private String quoted() {
        int began = line;
        var field = new StringBuilder();
        at++;
        while (true) {
            require(
                    at < text.length(),
                    "the quotes that begin on line %d of %s do not end",
                    began,
                    file);
            char next = text.charAt(at++);
            if (next == QUOTE) {
                if (at == text.length() || text.charAt(at) != QUOTE) {
                    return field.toString();
                }
                at++;
            }
            line += next == '\n' ? 1 : 0;
            field.append(next);
        }
    }
}
