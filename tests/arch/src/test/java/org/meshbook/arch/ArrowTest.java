package org.meshbook.arch;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which room may import which.
class ArrowTest {
    static Set<String> rooms() {
        return Rooms.names();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rooms")
    void roomImportsOnlyWhatItsArrowsReach(String room) {
        var allowed = Rooms.reachable(room);
        var astray = new TreeSet<String>();
        for (JavaClass type : Rooms.CLASSES) {
            if (!Rooms.of(type).equals(room)) {
                continue;
            }
            for (var dependency : type.getDirectDependenciesFromSelf()) {
                var target = dependency.getTargetClass().getBaseComponentType();
                if (Rooms.ours(target) && !allowed.contains(Rooms.of(target))) {
                    astray.add(type.getName() + " -> " + target.getName());
                }
            }
        }
        assertThat(astray).as("imports of %s, which may use %s", room, allowed).isEmpty();
    }

    @Test
    void everyPackageHasARoomOnTheMap() {
        var lost = new TreeSet<String>();
        Rooms.CLASSES.forEach(type -> lost.add(Rooms.of(type)));
        lost.removeAll(Rooms.names());
        assertThat(lost).as("packages without a room; give them one in Rooms").isEmpty();
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("org.meshbook.(**)").should().beFreeOfCycles().check(Rooms.CLASSES);
    }

    @Test
    void kernelKnowsNeitherMagicsNorElasticity() {
        assertThat(Rooms.reachable("kernel.app"))
                .allSatisfy(room -> assertThat(room).startsWith("kernel."));
    }

    @Test
    void headWorkerAndControllerDoNotKnowEachOther() {
        var three = Set.of("elastic.head", "elastic.worker", "elastic.controller");
        for (var room : three) {
            assertThat(Rooms.reachable(room)).filteredOn(three::contains).containsExactly(room);
        }
    }

    @Test
    void elasticityDecidesOnPortsAlone() {
        for (var room : Set.of("elastic.manager", "elastic.checkpoint", "elastic.data")) {
            assertThat(Rooms.reachable(room))
                    .doesNotContain("elastic.controller", "elastic.wire", "elastic.head");
        }
    }
}
