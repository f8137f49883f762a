package org.meshbook.elastic.controller;

/// Where one host of a slice can be reached.
///
/// @param slice index of its slice
/// @param generation the slice's generation that this process belongs to
/// @param host index of the host within the slice
/// @param devices number of its devices
/// @param address host name or address, `127.0.0.1` on one machine
/// @param dispatchPort port of its gRPC dispatch service
/// @param bulkPort port of its bulk transport
public record WorkerAddress(
        int slice,
        int generation,
        int host,
        int devices,
        String address,
        int dispatchPort,
        int bulkPort) {}
