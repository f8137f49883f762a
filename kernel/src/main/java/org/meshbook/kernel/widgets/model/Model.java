package org.meshbook.kernel.widgets.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Comm;
import org.meshbook.kernel.spi.Comms;

/// State that is shared with a counterpart in the front end.
///
/// Only keys that differ from the front end's own defaults are kept. One thread at a time sends; a
/// key that changes meanwhile is sent by that thread, too, so that the last value sent is the last
/// value set.
public final class Model {
    private static final String TARGET = "jupyter.widget";
    private static final Map<String, Object> VERSION = Map.of("version", "2.1.0");
    private static final String METHOD = "method";
    private static final String STATE = "state";

    private final Names names;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Object> state = new LinkedHashMap<>();
    private final Set<String> changed = new LinkedHashSet<>();
    private final Map<String, Consumer<@Nullable Object>> inputs = new ConcurrentHashMap<>();
    private volatile Consumer<Map<?, ?>> custom = _ -> {};
    private volatile Inbound inbound = Runnable::run;
    private @Nullable FutureTask<Comm> opening;
    private @Nullable FrontEnd frontEnd;
    private boolean sending;
    private boolean closed;

    /// What the front end makes of it.
    ///
    /// @param module name of its package
    /// @param version of the package
    /// @param model its class there
    /// @param viewModule package of the view
    /// @param view the class that draws it; empty if nothing is drawn
    public record Names(
            String module, String version, String model, String viewModule, String view) {
        private static final String BASE = "@jupyter-widgets/base";
        private static final String CONTROLS = "@jupyter-widgets/controls";
        private static final String OUTPUT = "@jupyter-widgets/output";
        private static final String CURRENT = "2.0.0";

        /// @param name as `IntSlider`
        /// @return the names of a control
        public static Names control(String name) {
            // Both kinds of progress bars are drawn by one class.
            var view = name.endsWith("Progress") ? "Progress" : name;
            return new Names(CONTROLS, CURRENT, name + "Model", CONTROLS, view + "View");
        }

        /// @param name as `SliderStyle`
        /// @return the names of what colours a control
        public static Names style(String name) {
            return new Names(CONTROLS, CURRENT, name + "Model", BASE, "StyleView");
        }

        /// @return the names of what places a widget
        public static Names layout() {
            return new Names(BASE, CURRENT, "LayoutModel", BASE, "LayoutView");
        }

        /// @return the names of the widget that shows output
        public static Names output() {
            return new Names(OUTPUT, "1.0.0", "OutputModel", OUTPUT, "OutputView");
        }

        /// @return the names of what ties two widgets together without the kernel
        public static Names link() {
            return new Names(CONTROLS, CURRENT, "LinkModel", CONTROLS, "");
        }
    }

    /// Runs what came from the front end.
    public interface Inbound {
        /// @param work what to run, on the calling thread
        void run(Runnable work);
    }

    /// Something that has a model.
    public interface Owner {
        /// @return its model
        Model model();
    }

    /// @param names what the front end makes of it
    public Model(Names names) {
        this.names = names;
        state.put("_model_module", names.module());
        state.put("_model_module_version", names.version());
        state.put("_model_name", names.model());
        state.put("_view_module", names.viewModule());
        state.put("_view_module_version", names.version());
        if (!names.view().isEmpty()) {
            state.put("_view_name", names.view());
        }
    }

    /// @return what the front end makes of it
    public Names names() {
        return names;
    }

    /// @param key one of the state
    /// @param input takes the front end's value of that key
    public void onInput(String key, Consumer<@Nullable Object> input) {
        inputs.put(key, input);
    }

    /// @param listener takes the front end's other messages
    public void onCustom(Consumer<Map<?, ?>> listener) {
        custom = listener;
    }

    /// @param how how listeners are run
    public void inbound(Inbound how) {
        inbound = how;
    }

    /// @param key one of the state
    /// @return its value
    public Object value(String key) {
        lock.lock();
        try {
            return Objects.requireNonNull(state.get(key), key);
        } finally {
            lock.unlock();
        }
    }

    /// Changes a key, and tells the front end if there is one.
    ///
    /// @param key one of the state
    /// @param value text, number, truth value, a model's owner, or a list of such
    /// @return whether it was another
    public boolean put(String key, Object value) {
        return put(Map.of(key, value));
    }

    /// Changes keys together.
    ///
    /// @param news key to value
    /// @return whether one was another
    public boolean put(Map<String, Object> news) {
        var other = false;
        lock.lock();
        try {
            for (var entry : news.entrySet()) {
                if (!entry.getValue().equals(state.put(entry.getKey(), entry.getValue()))) {
                    changed.add(entry.getKey());
                    other = true;
                }
            }
        } finally {
            lock.unlock();
        }
        send();
        return other;
    }

    /// Keeps what the front end said, which therefore knows it.
    ///
    /// @param key one of the state
    /// @param value its value
    /// @return whether it was another
    public boolean keep(String key, Object value) {
        lock.lock();
        try {
            return !value.equals(state.put(key, value));
        } finally {
            lock.unlock();
        }
    }

    /// Tells the front end a key's value again, because it has another.
    ///
    /// @param key one of the state
    public void repeat(String key) {
        lock.lock();
        try {
            changed.add(key);
        } finally {
            lock.unlock();
        }
        send();
    }

    /// Makes the model, and all that it refers to, known to the front end; no-op if it is.
    ///
    /// @param comms conversations with the front end
    /// @return its id there
    public String open(Comms comms) {
        FutureTask<Comm> task;
        lock.lock();
        try {
            if (opening == null) {
                opening = new FutureTask<>(() -> opened(comms));
            }
            task = opening;
        } finally {
            lock.unlock();
        }
        task.run(); // no-op unless this is the first
        send();
        return comm(task).id();
    }

    private Comm opened(Comms comms) {
        var known = FrontEnd.of(comms);
        lock.lock();
        Map<String, Object> start;
        try {
            start = new LinkedHashMap<>(state);
            changed.clear();
            frontEnd = known;
        } finally {
            lock.unlock();
        }
        var data = new LinkedHashMap<String, Object>();
        data.put(STATE, encoded(start, comms));
        data.put("buffer_paths", List.of());
        var comm = comms.open(TARGET, new Comm.Message(data, VERSION, List.of()));
        comm.onMessage(message -> inbound.run(() -> received(comm, message.data())));
        comm.onClose(_ -> forgotten());
        known.add(comm.id(), this);
        return comm;
    }

    private static Comm comm(FutureTask<Comm> task) {
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while a widget was opened");
        } catch (ExecutionException e) {
            throw new IllegalStateException("a widget could not be opened", e.getCause());
        }
    }

    /// @return whether it was closed, here or there
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /// The comm, once it is open and until it is closed.
    private @Nullable Comm comm() {
        FutureTask<Comm> task;
        lock.lock();
        try {
            task = closed ? null : opening;
        } finally {
            lock.unlock();
        }
        return task != null && task.state() == FutureTask.State.SUCCESS ? task.resultNow() : null;
    }

    private void send() {
        var comm = comm();
        if (comm == null) {
            return;
        }
        while (true) {
            var news = takeNews();
            if (news.isEmpty()) {
                return;
            }
            try {
                comm.send(update("update", encoded(news, comms())));
            } finally {
                sent();
            }
        }
    }

    private Map<String, Object> takeNews() {
        lock.lock();
        try {
            if (sending || changed.isEmpty()) {
                return Map.of();
            }
            var news = new LinkedHashMap<String, Object>();
            changed.forEach(key -> news.put(key, state.get(key)));
            changed.clear();
            sending = true;
            return news;
        } finally {
            lock.unlock();
        }
    }

    private void sent() {
        lock.lock();
        try {
            sending = false;
        } finally {
            lock.unlock();
        }
    }

    private Comms comms() {
        lock.lock();
        try {
            if (frontEnd == null) {
                throw new IllegalStateException("this widget was never opened");
            }
            return frontEnd.comms();
        } finally {
            lock.unlock();
        }
    }

    private static Comm.Message update(String method, Object state) {
        var data = new LinkedHashMap<String, Object>();
        data.put(METHOD, method);
        data.put(STATE, state);
        data.put("buffer_paths", List.of());
        return Comm.Message.of(data);
    }

    private void received(Comm comm, Map<String, Object> data) {
        switch (String.valueOf(data.get(METHOD))) {
            case "update" -> {
                if (data.get(STATE) instanceof Map<?, ?> told) {
                    // Other front ends, and this one's own bookkeeping, need what was accepted.
                    comm.send(update("echo_update", told));
                    told.forEach((key, value) -> input(String.valueOf(key), value));
                }
            }
            case "request_state" -> comm.send(update("update", snapshot()));
            case "custom" -> {
                if (data.get("content") instanceof Map<?, ?> content) {
                    custom.accept(content);
                }
            }
            default -> {
                // A newer protocol may say more; what it is about will come as state, too.
            }
        }
    }

    private void input(String key, @Nullable Object value) {
        var input = inputs.get(key);
        if (input != null) {
            input.accept(value);
        }
    }

    /// @return all state, as it is sent
    Map<String, Object> snapshot() {
        Map<String, Object> copy;
        lock.lock();
        try {
            copy = new LinkedHashMap<>(state);
        } finally {
            lock.unlock();
        }
        return encoded(copy, comms());
    }

    private static Map<String, Object> encoded(Map<String, Object> plain, Comms comms) {
        var encoded = new LinkedHashMap<String, Object>();
        plain.forEach((key, value) -> encoded.put(key, encoded(value, comms)));
        return encoded;
    }

    private static Object encoded(Object value, Comms comms) {
        return switch (value) {
            case Model model -> "IPY_MODEL_" + model.open(comms);
            case Owner owner -> "IPY_MODEL_" + owner.model().open(comms);
            case List<?> list -> {
                var all = new ArrayList<Object>();
                list.forEach(element -> all.add(encoded(element, comms)));
                yield all;
            }
            default -> value;
        };
    }

    private void forgotten() {
        var comm = comm();
        FrontEnd known;
        lock.lock();
        try {
            closed = true;
            known = frontEnd;
        } finally {
            lock.unlock();
        }
        if (comm != null && known != null) {
            known.remove(comm.id());
        }
    }

    /// Ends its counterpart; no-op if there is none any more.
    public void close() {
        var comm = comm();
        forgotten();
        if (comm != null) {
            comm.close(Comm.Message.of(Map.of()));
        }
    }
}
