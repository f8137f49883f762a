package org.meshbook.kernel.widgets.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.meshbook.kernel.spi.Comm;
import org.meshbook.kernel.spi.Comms;

/// The open models of one kernel: told to a front end that asks for all of them, as one does that
/// was loaded anew. Thread-safe.
public final class FrontEnd {
    private static final String CONTROL = "jupyter.widget.control";
    private static final Map<Object, FrontEnd> ALL =
            Collections.synchronizedMap(new WeakHashMap<>());

    private final Comms comms;
    private final Map<String, Model> models = new ConcurrentHashMap<>();

    private FrontEnd(Comms comms) {
        this.comms = comms;
        comms.register(
                CONTROL, (comm, _) -> comm.onMessage(message -> asked(comm, message.data())));
    }

    static FrontEnd of(Comms comms) {
        return ALL.computeIfAbsent(comms.kernel(), _ -> new FrontEnd(comms));
    }

    /// Closes every open widget; called when the kernel ends.
    public static void closeAll() {
        List<FrontEnd> all;
        synchronized (ALL) {
            all = List.copyOf(ALL.values());
            ALL.clear();
        }
        all.forEach(one -> List.copyOf(one.models.values()).forEach(Model::close));
    }

    Comms comms() {
        return comms;
    }

    void add(String id, Model model) {
        models.put(id, model);
    }

    void remove(String id) {
        models.remove(id);
    }

    private void asked(Comm comm, Map<String, Object> data) {
        if (!"request_states".equals(data.get("method"))) {
            return;
        }
        var states = new LinkedHashMap<String, Object>();
        models.forEach((id, model) -> states.put(id, state(model)));
        var answer = new LinkedHashMap<String, Object>();
        answer.put("method", "update_states");
        answer.put("states", states);
        answer.put("buffer_paths", List.of());
        comm.send(Comm.Message.of(answer));
    }

    private static Map<String, Object> state(Model model) {
        var names = model.names();
        var all = new LinkedHashMap<String, Object>();
        all.put("model_name", names.model());
        all.put("model_module", names.module());
        all.put("model_module_version", names.version());
        all.put("state", model.snapshot());
        return all;
    }
}
