package org.meshbook.elastic.head;

import java.time.Duration;
import org.meshbook.elastic.slices.supply.SupplyRequest;
import org.meshbook.elastic.wire.proto.ProvisionSlices;

/// What a client asks of a queue, in the words of a supply.
final class Orders {
    private Orders() {}

    static SupplyRequest of(Lease lease, ProvisionSlices what) {
        var order = what.getQueue();
        return new SupplyRequest(
                lease.id(),
                what.getSlices(),
                what.getHosts(),
                what.getDevices(),
                Duration.ofMillis(what.getNoticeMs()),
                order.getQueue(),
                order.getFlavor(),
                order.getPriorityClass(),
                order.getAtLeast(),
                order.getName().isEmpty() ? lease.id() : order.getName());
    }

    /// @return the same with the hosts and devices that the slices will have
    static ProvisionSlices settled(ProvisionSlices what, SupplyRequest settled) {
        return what.toBuilder().setHosts(settled.hosts()).setDevices(settled.devices()).build();
    }
}
