package org.meshbook.elastic.controller;

import java.util.List;
import org.meshbook.elastic.slices.ClusterView;

/// What the head last said: the view, and where the live workers are.
///
/// @param view all slices
/// @param workers addresses of the hosts of healthy slices, in order of slice and host
public record Membership(ClusterView view, List<WorkerAddress> workers) {
    public Membership {
        workers = List.copyOf(workers);
    }
}
