package org.meshbook.elastic.worker;

import org.meshbook.elastic.store.DeviceStore;

/// One device of this worker.
///
/// @param id number in the allocation
/// @param store its memory
/// @param thread its thread
record LocalDevice(int id, DeviceStore store, DeviceThread thread) {
    static LocalDevice of(int id) {
        return new LocalDevice(id, new DeviceStore(id), new DeviceThread("device " + id));
    }
}
