package org.meshbook.kernel.failure;

import java.util.Optional;
import java.util.stream.Stream;

/// What a person may try next after an exception whose cause is this place and not their code.
final class RuntimeHints {
    private RuntimeHints() {}

    static Optional<String> of(Throwable thrown) {
        var message = message(thrown);
        return switch (thrown) {
            case NullPointerException _
                    when message.contains("\"java.lang.System.console()\" is null") ->
                    Optional.of(
                            "a notebook has no console; read with IO.readln(\"prompt\") or"
                                    + " Scanner(System.in)");
            case StackOverflowError e when isInCompiler(e) ->
                    Optional.of("this is too deep for the Java compiler; split the expression");
            case OutOfMemoryError _ ->
                    Optional.of(
                            "the heap may hold %,d MB; ./meshbook install --jvm-arg -Xmx8g gives more"
                                    .formatted(Runtime.getRuntime().maxMemory() >> 20));
            case NoClassDefFoundError e when !message.startsWith("Could not initialize") ->
                    missingClass(e);
            case ClassNotFoundException e -> missingClass(e);
            case ReflectiveOperationException _ -> Optional.empty();
            case RuntimeException e
                    when e.getClass().getSimpleName().equals("InaccessibleObjectException") ->
                    Optional.of(
                            "./meshbook install --jvm-arg --add-opens=MODULE/PACKAGE=ALL-UNNAMED"
                                    + " opens it");
            default ->
                    thrown.getClass().getName().equals("java.awt.HeadlessException")
                            ? Optional.of(
                                    "no screen is here; draw into a BufferedImage and let the cell"
                                            + " show it")
                            : Optional.empty();
        };
    }

    private static boolean isInCompiler(Throwable thrown) {
        return Stream.of(thrown.getStackTrace())
                .anyMatch(frame -> frame.getClassName().startsWith("com.sun.tools.javac."));
    }

    private static Optional<String> missingClass(Throwable thrown) {
        return Optional.of(
                "%s is on no jar that cells see; %%maven or %%classpath adds one"
                        .formatted(message(thrown).replace('/', '.').replaceFirst("^.* ", "")));
    }

    private static String message(Throwable thrown) {
        try {
            return String.valueOf(thrown.getMessage());
        } catch (Throwable e) {
            // The user's own code: anything may come.
            return "";
        }
    }
}
