package io.github.spencerpark.ijava.runtime;

import java.util.List;
import org.meshbook.magics.compat.Bridge;

/// What IJava's cells have without an import.
public class Magics {
    public static <T> T lineMagic(String name, List<String> args) {
        return Bridge.lineMagic(name, args);
    }

    public static <T> T cellMagic(String name, List<String> args, String body) {
        return Bridge.cellMagic(name, args, body);
    }
}
