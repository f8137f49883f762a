package org.meshbook.elastic.engine.xla;

/// Functions of the table `PJRT_Api` that are used, with their offsets in bytes.
enum Entry {
    ERROR_DESTROY(40),
    ERROR_MESSAGE(48),
    ERROR_CODE(56),
    PLUGIN_INITIALIZE(64),
    PLUGIN_ATTRIBUTES(72),
    EVENT_DESTROY(80),
    EVENT_AWAIT(104),
    CLIENT_CREATE(120),
    CLIENT_PLATFORM_NAME(136),
    CLIENT_PLATFORM_VERSION(152),
    CLIENT_ADDRESSABLE_DEVICES(168),
    CLIENT_COMPILE(200),
    CLIENT_BUFFER_FROM_HOST(216),
    EXECUTABLE_DESTROY(360),
    EXECUTABLE_NUM_OUTPUTS(392),
    EXECUTABLE_SERIALIZE(432),
    LOADED_DESTROY(440),
    LOADED_GET_EXECUTABLE(448),
    LOADED_EXECUTE(480),
    EXECUTABLE_DESERIALIZE_AND_LOAD(488),
    BUFFER_DESTROY(504),
    BUFFER_TO_HOST(600),
    BUFFER_OPAQUE_POINTER(648);

    private final long offset;

    Entry(long offset) {
        this.offset = offset;
    }

    long offset() {
        return offset;
    }
}
