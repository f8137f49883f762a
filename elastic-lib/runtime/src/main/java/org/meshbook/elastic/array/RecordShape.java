package org.meshbook.elastic.array;

import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

    private final String typeName;
    private final List<Type> types;
    private final List<String> names;
    private final List<Method> accessors;
    private final Optional<Constructor<?>> constructor;

    private RecordShape(Class<?> type) {
        this.typeName = type.getName();
        var components = type.getRecordComponents();
        this.names = Arrays.stream(components).map(RecordComponent::getName).toList();
        this.accessors = Arrays.stream(components).map(RecordComponent::getAccessor).toList();
        try {
            this.types = Arrays.stream(components).map(RecordComponent::getGenericType).toList();
            var canonical =
                    type.getDeclaredConstructor(
                            Arrays.stream(components)
                                    .map(RecordComponent::getType)
                                    .toArray(Class<?>[]::new));
            // Records of cells are nested in classes that are not public.
            canonical.setAccessible(true);
            this.constructor = Optional.of(canonical);
            accessors.forEach(accessor -> accessor.setAccessible(true));
        } catch (NoSuchMethodException | RuntimeException e) {
            throw new UsageError("record %s cannot be opened: %s", type.getName(), e);
        }
    }

    private RecordShape(String typeName, List<String> names) {
        this.typeName = typeName;
        this.types = List.of();
        this.names = List.copyOf(names);
        this.accessors = List.of();
        this.constructor = Optional.empty();
    }

    static RecordShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    /// A record whose class another program declared: it cannot be made until its place is given a
    /// type, as by [Structure#typed].
    ///
    /// @param typeName the class' name
    /// @param names the components' names in order
    /// @return its shape; that of the class itself, if this program has it, too
    public static RecordShape named(String typeName, List<String> names) {
        try {
            var type = Class.forName(typeName, false, RecordShape.class.getClassLoader());
            if (type.isRecord() && of(type).names().equals(names)) {
                return of(type);
            }
        } catch (ClassNotFoundException | LinkageError elsewhere) {
            // A class of cells, as a rule.
        }
        return new RecordShape(typeName, names);
    }

    /// @return the class' name
    public String typeName() {
        return typeName;
    }

    /// @return types of the components, as declared; empty if the class is another program's
    List<Type> types() {
        return types;
    }

    /// @return the components' names in order
    public List<String> names() {
        return names;
    }

    /// @param component number of a component
    /// @param value a value
    /// @return whether the component can hold it
    public boolean accepts(int component, Object value) {
        return constructor
                .map(canonical -> canonical.getParameterTypes()[component])
                .map(type -> MethodType.methodType(type).wrap().returnType())
                .filter(type -> type.isInstance(value))
                .isPresent();
    }

    @Nullable Object read(Record record, int component) {
        try {
            return accessors.get(component).invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw failed("read", e);
        }
    }

    Object make(Object[] components) {
        var canonical =
                constructor.orElseThrow(
                        () ->
                                new UsageError(
                                        "%s is a record of a program that is gone; say which class"
                                                + " it is now, as in lookup(name, Params.class)",
                                        this));
        try {
            return canonical.newInstance(components);
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
                        "record %s cannot be %s: %s", typeName, what, String.valueOf(cause));
    }

    @Override
    public String toString() {
        return typeName.substring(
                        Math.max(typeName.lastIndexOf('.'), typeName.lastIndexOf('$')) + 1)
                + names;
    }
}
