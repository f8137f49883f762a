package org.dflib.jjava.runtime;

import java.util.List;
import org.meshbook.magics.compat.Bridge;

/// What JJava 0.x notebooks import for magics.
public class Magics {
    public static <T> T lineMagic(String name, List<String> args) {
        return Bridge.lineMagic(name, args);
    }

    public static <T> T cellMagic(String name, List<String> args, String body) {
        return Bridge.cellMagic(name, args, body);
    }
}
