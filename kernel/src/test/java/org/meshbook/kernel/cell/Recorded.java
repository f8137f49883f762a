package org.meshbook.kernel.cell;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.meshbook.kernel.spi.DisplayData;

/// Everything that a cell put out, and the answers that it gets.
final class Recorded implements CellOutput {
    final List<DisplayData> displays = new CopyOnWriteArrayList<>();
    final List<DisplayData> updates = new CopyOnWriteArrayList<>();
    final List<Boolean> clears = new CopyOnWriteArrayList<>();
    private final StringBuffer out = new StringBuffer();
    private final StringBuffer err = new StringBuffer();
    private final Queue<String> answers;

    Recorded(String... answers) {
        this.answers = new ArrayDeque<>(List.of(answers));
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    @Override
    public void write(Stream stream, String text) {
        switch (stream) {
            case STDOUT -> out.append(text);
            case STDERR -> err.append(text);
        }
    }

    @Override
    public void display(DisplayData data) {
        displays.add(data);
    }

    @Override
    public void update(DisplayData data) {
        updates.add(data);
    }

    @Override
    public void clear(boolean wait) {
        clears.add(wait);
    }

    @Override
    public String ask(String prompt, boolean password) throws IOException {
        var answer = answers.poll();
        if (answer == null) {
            throw new IOException("nobody can be asked");
        }
        return answer;
    }
}
