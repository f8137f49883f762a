package org.meshbook.kernel.embed;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import org.meshbook.kernel.cell.CellOutput;
import org.meshbook.kernel.spi.DisplayData;

/// What magics show, on the streams that the program had.
record ProgramOutput(PrintStream out, PrintStream err, BufferedReader in) implements CellOutput {
    @Override
    public void write(Stream stream, String text) {
        var to = stream == Stream.STDOUT ? out : err;
        to.print(text);
        to.flush();
    }

    @Override
    public void display(DisplayData data) {
        out.println(
                data.bundle().get("text/plain") instanceof String text
                        ? text.stripTrailing()
                        : data.bundle().keySet().toString());
        out.flush();
    }

    @Override
    public void update(DisplayData data) {
        display(data);
    }

    @Override
    public void clear(boolean wait) {
        // What is printed stays.
    }

    @Override
    public String ask(String prompt, boolean password) throws IOException {
        write(Stream.STDOUT, prompt);
        var line = in.readLine();
        if (line == null) {
            throw new IOException("the input has ended");
        }
        return line;
    }
}
