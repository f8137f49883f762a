package org.meshbook.elastic.controller.link;

import java.util.List;
import org.meshbook.elastic.controller.NameSource;
import org.meshbook.elastic.wire.proto.ListNames;
import org.meshbook.elastic.wire.proto.NamedProto;
import org.meshbook.elastic.wire.proto.PublishName;
import org.meshbook.elastic.wire.proto.SessionRequest;
import org.meshbook.elastic.wire.proto.WithdrawName;

/// The names of a session, asked for over its stream.
///
/// @param link the stream
record HeadNames(HeadLink link) implements NameSource {
    @Override
    public List<NamedProto> all() {
        return link.answer(SessionRequest.newBuilder().setNames(ListNames.getDefaultInstance()))
                .getNamesList();
    }

    @Override
    public void publish(NamedProto named) {
        link.ask(SessionRequest.newBuilder().setPublish(PublishName.newBuilder().setNamed(named)));
    }

    @Override
    public void withdraw(String name) {
        link.ask(SessionRequest.newBuilder().setWithdraw(WithdrawName.newBuilder().setName(name)));
    }
}
