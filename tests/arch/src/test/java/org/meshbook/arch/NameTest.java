package org.meshbook.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.HashSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/// How packages and public things are called and marked.
class NameTest {
    private static final Pattern VAGUE = Pattern.compile(".*(Impl|Utils?|Helpers?|Base)$");
    private static final Pattern VERB = Pattern.compile("^(get|set)[A-Z].*");

    @Test
    void everyPackageIsNullMarked() {
        var unmarked = new TreeSet<String>();
        for (JavaClass type : Rooms.CLASSES) {
            var info = type.getPackage().tryGetPackageInfo();
            if (generated(type)) {
                continue;
            }
            if (info.isEmpty() || !info.get().isAnnotatedWith(NullMarked.class)) {
                unmarked.add(type.getPackageName());
            }
        }
        assertThat(unmarked).as("packages without @NullMarked in a package-info").isEmpty();
    }

    @Test
    void publicTypesSayWhatTheyAre() {
        var vague = new TreeSet<String>();
        for (JavaClass type : Rooms.CLASSES) {
            if (isPublic(type) && VAGUE.matcher(type.getSimpleName()).matches()) {
                vague.add(type.getName());
            }
        }
        assertThat(vague).as("types whose names do not say what they are").isEmpty();
    }

    @Test
    void publicMethodsAreNoGettersAndSetters() {
        var accessors = new TreeSet<String>();
        for (JavaClass type : Rooms.CLASSES) {
            if (isPublic(type) && !generated(type)) {
                type.getMethods().stream()
                        .filter(m -> m.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(m -> VERB.matcher(m.getName()).matches())
                        .filter(m -> !overrides(m))
                        .forEach(m -> accessors.add(m.getFullName()));
            }
        }
        assertThat(accessors).as("methods named with get or set").isEmpty();
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC) && !type.isAnonymousClass();
    }

    /// protoc's output has its own package, apart from ours.
    private static boolean generated(JavaClass type) {
        return type.getPackageName().endsWith(".proto");
    }

    private static boolean overrides(JavaMethod method) {
        var owner = method.getOwner();
        var parents = new HashSet<JavaClass>(owner.getAllRawSuperclasses());
        parents.addAll(owner.getAllRawInterfaces());
        return parents.stream()
                .filter(p -> !Rooms.ours(p))
                .anyMatch(
                        p ->
                                p.getMethods().stream()
                                        .anyMatch(m -> m.getName().equals(method.getName())));
    }
}
