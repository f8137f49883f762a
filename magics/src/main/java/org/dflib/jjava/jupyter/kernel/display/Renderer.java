package org.dflib.jjava.jupyter.kernel.display;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;
import org.jspecify.annotations.Nullable;
import org.meshbook.magics.compat.Bridge;

/// Renders values: by what notebooks registered here, then as Meshbook does. Thread-safe.
public class Renderer {
    private final List<Rule> rules = new CopyOnWriteArrayList<>();

    private record Rule(
            Set<MIMEType> supported,
            Set<MIMEType> preferred,
            Class<?> type,
            RenderFunction<Object> function) {}

    public Renderer() {}

    /// @param type what is to be rendered
    /// @return a registration to fill in
    public <T> RenderRegistration<T> createRegistration(Class<T> type) {
        return new RenderRegistration<>(this, type);
    }

    /// @param supported what can be made
    /// @param preferred what is made if nothing is asked for
    /// @param types of the values
    /// @param function makes it
    @SuppressWarnings("unchecked") // only ever called with values of those types
    public <T> void register(
            Set<MIMEType> supported,
            Set<MIMEType> preferred,
            Set<Class<? extends T>> types,
            RenderFunction<T> function) {
        for (var type : types) {
            rules.addFirst(
                    new Rule(
                            Set.copyOf(supported),
                            Set.copyOf(preferred),
                            type,
                            (RenderFunction<Object>) function));
        }
    }

    public DisplayData render(@Nullable Object value) {
        return render(value, Map.of());
    }

    public DisplayData render(@Nullable Object value, Map<String, Object> params) {
        return own(value, Set.of(), params).orElseGet(() -> Bridge.rendered(value, Set.of()));
    }

    public DisplayData renderAs(@Nullable Object value, String... types) {
        return renderAs(value, Map.of(), types);
    }

    public DisplayData renderAs(
            @Nullable Object value, Map<String, Object> params, String... types) {
        var wanted = Arrays.stream(types).collect(Collectors.toCollection(LinkedHashSet::new));
        return own(value, wanted, params).orElseGet(() -> Bridge.rendered(value, wanted));
    }

    /// @param value any value
    /// @param types what is asked for; nothing for what is preferred
    /// @param params for the render function
    /// @return what was registered here for it, or what it does itself
    public Optional<DisplayData> own(
            @Nullable Object value, Set<String> types, Map<String, Object> params) {
        if (value instanceof DisplayData data) {
            return Optional.of(data);
        }
        if (value instanceof DisplayDataRenderable renderable) {
            var wanted = wanted(types, renderable.getPreferredRenderTypes());
            return Optional.of(
                    filled(
                            value,
                            new RenderContext(wanted, this, params, new DisplayData()),
                            (_, context) -> renderable.render(context)));
        }
        return rules.stream()
                .filter(rule -> rule.type.isInstance(value))
                .filter(rule -> types.isEmpty() || supports(rule, types))
                .findFirst()
                .map(
                        rule ->
                                filled(
                                        java.util.Objects.requireNonNull(value),
                                        new RenderContext(
                                                wanted(types, rule.preferred),
                                                this,
                                                params,
                                                new DisplayData()),
                                        rule.function));
    }

    private static boolean supports(Rule rule, Set<String> types) {
        return types.stream()
                .map(MIMEType::parse)
                .anyMatch(
                        asked ->
                                rule.supported.stream().anyMatch(s -> MIMEType.match(s, asked))
                                        || rule.preferred.stream()
                                                .anyMatch(s -> MIMEType.match(s, asked)));
    }

    private static Set<MIMEType> wanted(Set<String> types, Set<MIMEType> preferred) {
        return types.isEmpty()
                ? preferred
                : types.stream().map(MIMEType::parse).collect(Collectors.toSet());
    }

    private static DisplayData filled(
            Object value, RenderContext context, RenderFunction<Object> function) {
        var data = context.getOutputContainer();
        function.render(value, context);
        if (!data.hasDataForType(MIMEType.TEXT_PLAIN)) {
            data.putText(String.valueOf(value));
        }
        return data;
    }

    /// A registration that is filled in step by step.
    public static class RenderRegistration<T> {
        private final Renderer renderer;
        private final Set<MIMEType> supported = new LinkedHashSet<>();
        private final Set<MIMEType> preferred = new LinkedHashSet<>();
        private final Set<Class<? extends T>> types = new LinkedHashSet<>();

        RenderRegistration(Renderer renderer, Class<? extends T> type) {
            this.renderer = renderer;
            types.add(type);
        }

        public RenderRegistration<T> supporting(MIMEType... more) {
            supported.addAll(List.of(more));
            return this;
        }

        public RenderRegistration<T> supporting(String... more) {
            Arrays.stream(more).map(MIMEType::parse).forEach(supported::add);
            return this;
        }

        public RenderRegistration<T> preferring(MIMEType... more) {
            preferred.addAll(List.of(more));
            return supporting(more);
        }

        public RenderRegistration<T> preferring(String... more) {
            Arrays.stream(more).map(MIMEType::parse).forEach(preferred::add);
            return supporting(more);
        }

        public RenderRegistration<T> onType(Class<? extends T> type) {
            types.add(type);
            return this;
        }

        /// @param function makes what is asked for
        public void register(RenderFunction<T> function) {
            // Who says nothing of types makes what it likes.
            var any = supported.isEmpty() ? Set.of(MIMEType.ANY) : supported;
            renderer.register(any, preferred.isEmpty() ? any : preferred, types, function);
        }
    }
}
