package org.meshbook.kernel.session;

import java.util.LinkedHashMap;
import java.util.Map;
import org.meshbook.kernel.protocol.Failure;
import org.meshbook.kernel.protocol.Publication;
import org.meshbook.kernel.protocol.Reply;
import org.meshbook.kernel.protocol.Request;
import org.meshbook.kernel.usage.Usage;
import org.meshbook.kernel.wire.Channel;

/// What control takes, and shell too for older front ends: nothing here waits for a cell.
final class Commands {
    private final KernelSession.About about;
    private final Common common;
    private final Outbox outbox;
    private final Usage usage = new Usage();
    private final Lanes lanes;
    private final Departure departure;

    Commands(KernelSession.About about, Common common, Lanes lanes, Departure departure) {
        this.about = about;
        this.common = common;
        this.outbox = common.outbox();
        this.lanes = lanes;
        this.departure = departure;
    }

    static Failure noSubshell(String id) {
        return Shown.failure(
                "UnknownSubshell",
                "no subshell '" + id + "'; it was deleted, or was never created by this kernel");
    }

    void take(Channel channel, Parent parent, Request request) {
        switch (request) {
            case Request.KernelInfo _ ->
                    outbox.reply(
                            channel, parent, new Reply.KernelInfo(about.version(), about.java()));
            case Request.Connect _ ->
                    outbox.reply(channel, parent, new Reply.Connect(about.ports()));
            case Request.Interrupt _ -> outbox.reply(channel, parent, interrupt(parent));
            case Request.Shutdown(var restart) -> {
                departure.leave(restart);
                outbox.reply(channel, parent, new Reply.ShutDown(restart));
                outbox.publish(parent, new Publication.Leaving(restart));
            }
            case Request.Usage _ -> outbox.reply(channel, parent, new Reply.Usage(usage()));
            case Request.CreateSubshell _ ->
                    outbox.reply(channel, parent, new Reply.SubshellCreated(lanes.create()));
            case Request.DeleteSubshell(var id) ->
                    outbox.reply(
                            channel,
                            parent,
                            lanes.delete(id)
                                    ? new Reply.SubshellDeleted()
                                    : new Reply.Failed("delete_subshell_reply", noSubshell(id)));
            case Request.ListSubshells _ ->
                    outbox.reply(channel, parent, new Reply.Subshells(lanes.ids()));
            case Request.Debug(var sequence, var command) ->
                    outbox.reply(channel, parent, new Reply.NoDebugger(sequence, command));
            case Request.OnComm _, Request.Input _ -> {} // has no reply, and no meaning here
            case Request.Execute _,
                    Request.Complete _,
                    Request.Inspect _,
                    Request.IsComplete _,
                    Request.History _,
                    Request.CommInfo _ ->
                    misplaced(channel, parent);
        }
    }

    private Map<String, Object> usage() {
        var figures = new LinkedHashMap<>(usage.measure());
        common.ready().ifPresent(engine -> engine.usage().forEach(figures::putIfAbsent));
        return figures;
    }

    private Reply interrupt(Parent parent) {
        var named = parent.header().subshell();
        if (named.isEmpty()) {
            lanes.interrupt();
            return new Reply.Interrupted();
        }
        var lane = lanes.find(named);
        lane.ifPresent(found -> found.execution().interrupt());
        return lane.isPresent()
                ? new Reply.Interrupted()
                : new Reply.Failed("interrupt_reply", noSubshell(named.get()));
    }

    private void misplaced(Channel channel, Parent parent) {
        var type = parent.header().type();
        var why = "control does not take " + type + "; send it on shell";
        outbox.reply(channel, parent, Dispatch.failed(type, Shown.failure("WrongChannel", why)));
    }
}
