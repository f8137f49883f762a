package org.meshbook.bench.kernel;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// A kernel to measure: what starts it, and the cells of its language.
///
/// @param name as in a kernelspec
/// @param command its arguments; `{connection_file}` is replaced
/// @param sum a cell whose value is a number plus one
/// @param flood prints so many lines
/// @param complete texts to complete at their end
/// @param inspect what to explain
/// @param endless cells that only an interrupt ends, by what they do
/// @param interruptBySignal whether an interrupt is SIGINT, and not a message
record Peer(
        String name,
        List<String> command,
        IntFunction<String> sum,
        IntFunction<String> flood,
        List<String> complete,
        String inspect,
        Map<String, String> endless,
        boolean interruptBySignal) {
    Peer {
        command = List.copyOf(command);
        complete = List.copyOf(complete);
        endless = Map.copyOf(endless);
    }

    static final List<String> ENDLESS =
            List.of("spin", "count", "sleep", "library loop", "swallowing", "blocked accept");

    static Peer java(String name, List<String> command) {
        return new Peer(
                name,
                command,
                "%d+1"::formatted,
                "for (int i = 0; i < %d; i++) System.out.println(\"line \" + i);"::formatted,
                List.of("\"abc\".subst", "System.o", "java.util.Li", "Math.ma", "new StringBu"),
                "Math.max(",
                Map.of(
                        "spin", "while (true) { }",
                        "count", "long n = 0; while (true) { n++; }",
                        "sleep", "Thread.sleep(600000)",
                        "library loop",
                                "java.util.stream.LongStream.iterate(0, i -> i + 1).filter(i -> i <"
                                        + " 0).findFirst()",
                        "swallowing",
                                "while (true) { try { Thread.sleep(1000); } catch"
                                        + " (InterruptedException e) { } }",
                        "blocked accept", "new java.net.ServerSocket(0).accept()"),
                false);
    }

    static Peer python(String name, List<String> command) {
        return new Peer(
                name,
                command,
                "%d+1"::formatted,
                "for i in range(%d): print('line', i)"::formatted,
                List.of("'abc'.spl", "import os; os.get", "pri", "''.jo", "isins"),
                "max",
                Map.of(
                        "spin", "while True: pass",
                        "count", "n = 0\nwhile True: n += 1",
                        "sleep", "import time; time.sleep(600)",
                        "library loop",
                                "import itertools; next(i for i in itertools.count() if i < 0)",
                        "swallowing",
                                "import time\n"
                                        + "for _ in range(3):\n"
                                        + "    try:\n"
                                        + "        time.sleep(3)\n"
                                        + "    except KeyboardInterrupt: pass",
                        "blocked accept",
                                "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0));"
                                        + " s.listen(); s.accept()"),
                true);
    }
}
