package org.meshbook.elastic.jit;

import java.util.List;
import org.meshbook.elastic.graph.Graph;

/// What the partitioner yields.
///
/// @param graph the per-device graph
/// @param outputs for each result the axes that cut each dimension
record Partitioned(Graph graph, List<List<List<String>>> outputs) {}
