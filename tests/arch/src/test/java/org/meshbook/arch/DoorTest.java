package org.meshbook.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meshbook.elastic.slices.Clock;
import org.meshbook.elastic.slices.SliceLost;

/// What only some rooms may touch: libraries, standard streams, sleep, the making of a loss.
class DoorTest {
    /// Rooms whose product is text on a terminal, and the one that routes the streams of cells.
    private static final String[] TERMINALS = {
        "org.meshbook.kernel.cell..",
        "org.meshbook.kernel.app..",
        "org.meshbook.kernel.console..",
        "org.meshbook.kernel.embed..",
        "org.meshbook.kernel.notebook..",
        "org.meshbook.kernel.install..",
        "org.meshbook.magics.cli..",
        "org.meshbook.bench.."
    };

    @ParameterizedTest(name = "{0} only in {1}")
    @CsvSource({
        "org.zeromq..,                kernel.wire kernel.client",
        "com.neilalexander..,         kernel.wire.zmtp",
        "ai.onnxruntime..,            elastic.engine.onnx",
        "jdk.jshell..,                kernel.jshell kernel.failure kernel.cell",
        "io.fabric8..,                cluster.kubernetes",
        "okhttp3..,                   cluster.kubernetes cluster.pools cluster.metrics",
        "okio..,                      cluster.kubernetes cluster.pools cluster.metrics",
        "org.snakeyaml..,             cluster.manifest",
        "javafx..,                    magics.viz",
        "io.grpc..,                   elastic.wire elastic.controller elastic.worker elastic.head",
        "com.google.protobuf..,       elastic.wire elastic.controller elastic.worker elastic.head",
        "io.netty..,                  elastic.wire elastic.transport elastic.worker elastic.head"
                + " elastic.controller",
        "dev.hardwood..,              elastic.data.source",
        "dev.cel..,                   cluster.schema",
        "org.jline..,                 kernel.console.line",
        "picocli..,                   kernel.app magics.args magics.cli bench",
        "org.apache.opendal..,        elastic.checkpoint.tier.bucket",
        "org.slf4j..,                 none",
    })
    void librariesHaveTheirDoors(String library, String rooms) {
        var packages =
                Set.of(rooms.split(" ")).stream().map(r -> "org.meshbook." + r + "..").toList();
        noClasses()
                .that()
                .resideInAPackage("org.meshbook..")
                .and()
                .resideOutsideOfPackages(packages.toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .allowEmptyShould(true)
                .check(Rooms.CLASSES);
    }

    @Test
    void onlyTerminalRoomsPrint() {
        noClasses()
                .that()
                .resideOutsideOfPackages(TERMINALS)
                .and()
                .haveSimpleNameNotEndingWith("Main")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .because("stdout and stderr belong to the cell; use System.Logger")
                .check(Rooms.CLASSES);
    }

    @Test
    void loggingGoesThroughSystemLogger() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "org.meshbook.kernel.jshell..",
                        "org.meshbook.kernel.cell..",
                        "org.meshbook.kernel.app..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .because(
                        "only where the logs of cells and of the process are routed is their"
                                + " backend known")
                .check(Rooms.CLASSES);
    }

    @Test
    void onlyClocksSleep() {
        noClasses()
                .that()
                .areNotAssignableTo(Clock.class)
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", Duration.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class, int.class)
                .because("a wait is for something: a latch, a queue, a condition, or the Clock")
                .check(Rooms.CLASSES);
    }

    @Test
    void lossIsMadeOnlyWhereLinksFail() {
        // The manager finds a loss in the view when a program reads no value that could tell it.
        var makers = Set.of("elastic.controller", "elastic.wire", "elastic.sim", "elastic.manager");
        var others = new TreeSet<String>();
        for (JavaClass type : Rooms.CLASSES) {
            boolean makes =
                    type.getConstructorCallsFromSelf().stream()
                            .anyMatch(c -> c.getTargetOwner().isEquivalentTo(SliceLost.class));
            if (makes && !makers.contains(Rooms.of(type))) {
                others.add(type.getName());
            }
        }
        assertThat(others).as("classes outside %s that make a SliceLost", makers).isEmpty();
    }

    @Test
    void noBareRuntimeExceptionIsThrown() {
        var bare =
                Set.of(
                        RuntimeException.class.getName(),
                        Exception.class.getName(),
                        Throwable.class.getName());
        var makers = new TreeSet<String>();
        for (JavaClass type : Rooms.CLASSES) {
            // Generated: its maps have methods that throw one.
            if (type.getPackageName().endsWith(".wire.proto")) {
                continue;
            }
            type.getConstructorCallsFromSelf().stream()
                    .filter(c -> bare.contains(c.getTargetOwner().getName()))
                    .filter(c -> !c.getOrigin().getName().equals("<init>"))
                    .forEach(c -> makers.add(c.getOrigin().getFullName()));
        }
        assertThat(makers).as("makers of exceptions without a name").isEmpty();
    }
}
