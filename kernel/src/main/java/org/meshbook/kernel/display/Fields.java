package org.meshbook.kernel.display;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The components of records, read from their fields, so that no code of theirs runs.
final class Fields {
    private static final String COMPILERS_OWN = "java/lang/runtime/ObjectMethods";

    private static final ClassValue<Boolean> STANDARD =
            new ClassValue<>() {
                @Override
                protected Boolean computeValue(Class<?> type) {
                    return isStandard(type);
                }
            };

    private Fields() {}

    /// One component.
    ///
    /// @param name its name
    /// @param value its value
    record Field(String name, @Nullable Object value) {}

    static List<String> names(Class<?> type) {
        return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
    }

    /// @return the components in order
    /// @throws IllegalStateException if they cannot be read
    static List<Field> of(Record fields) {
        var all = new ArrayList<Field>();
        for (var name : names(fields.getClass())) {
            all.add(new Field(name, value(fields, name)));
        }
        return all;
    }

    private static @Nullable Object value(Record fields, String name) {
        try {
            var field = fields.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(fields);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException("%s cannot be read".formatted(name), e);
        }
    }

    /// @return whether the record's `toString` is the one that the compiler wrote
    static boolean hasStandardText(Record fields) {
        return STANDARD.get(fields.getClass());
    }

    /// Reflection does not tell; the code does: the compiler's own calls one method of the JDK.
    private static boolean isStandard(Class<?> type) {
        var file = type.getName().replace('.', '/') + ".class";
        var loader = type.getClassLoader();
        try (var bytes =
                loader == null
                        ? ClassLoader.getSystemResourceAsStream(file)
                        : loader.getResourceAsStream(file)) {
            return bytes != null
                    && ClassFile.of().parse(bytes.readAllBytes()).methods().stream()
                            .filter(m -> m.methodName().equalsString("toString"))
                            .filter(m -> m.methodType().equalsString("()Ljava/lang/String;"))
                            .allMatch(Fields::callsTheCompilersOwn);
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private static boolean callsTheCompilersOwn(MethodModel method) {
        return method.code().stream()
                .flatMap(CodeModel::elementStream)
                .filter(InvokeDynamicInstruction.class::isInstance)
                .map(InvokeDynamicInstruction.class::cast)
                .anyMatch(
                        call ->
                                call.bootstrapMethod()
                                        .owner()
                                        .descriptorString()
                                        .equals("L" + COMPILERS_OWN + ";"));
    }
}
