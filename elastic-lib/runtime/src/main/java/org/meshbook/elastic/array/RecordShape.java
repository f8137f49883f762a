package org.meshbook.elastic.array;

import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.UsageError;

/// How to read and make records of one class, also of one that was declared in a cell.
public final class RecordShape {
    private static final ClassValue<RecordShape> SHAPES =
            new ClassValue<>() {
                @Override
                protected RecordShape computeValue(Class<?> type) {
                    return new RecordShape(type);
                }
            };

    private final Class<?> type;
    private final List<String> names;
    private final List<Method> accessors;
    private final Constructor<?> constructor;

    private RecordShape(Class<?> type) {
        this.type = type;
        var components = type.getRecordComponents();
        this.names = Arrays.stream(components).map(RecordComponent::getName).toList();
        this.accessors = Arrays.stream(components).map(RecordComponent::getAccessor).toList();
        try {
            this.constructor =
                    type.getDeclaredConstructor(
                            Arrays.stream(components)
                                    .map(RecordComponent::getType)
                                    .toArray(Class<?>[]::new));
            // Records of cells are nested in classes that are not public.
            constructor.setAccessible(true);
            accessors.forEach(accessor -> accessor.setAccessible(true));
        } catch (NoSuchMethodException | RuntimeException e) {
            throw new UsageError("record %s cannot be opened: %s", type.getName(), e);
        }
    }

    static RecordShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    /// @return the components' names in order
    public List<String> names() {
        return names;
    }

    /// @param component number of a component
    /// @param value a value
    /// @return whether the component can hold it
    public boolean accepts(int component, Object value) {
        return MethodType.methodType(constructor.getParameterTypes()[component])
                .wrap()
                .returnType()
                .isInstance(value);
    }

    @Nullable Object read(Record record, int component) {
        try {
            return accessors.get(component).invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw failed("read", e);
        }
    }

    Object make(Object[] components) {
        try {
            return constructor.newInstance(components);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw failed("made", e);
        }
    }

    private ElasticException failed(String what, Exception e) {
        var cause = e instanceof InvocationTargetException wrapped ? wrapped.getCause() : e;
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof ElasticException ours
                ? ours
                : new UsageError(
                        "record %s cannot be %s: %s", type.getName(), what, String.valueOf(cause));
    }

    @Override
    public String toString() {
        return type.getSimpleName() + names;
    }
}
