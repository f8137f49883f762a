package org.meshbook.elastic.engine.xla;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/// A test that needs XLA; where no plugin is to be had it says so and skips.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
        value = "org.meshbook.elastic.engine.xla.Skipping#isInstalled",
        disabledReason = "no PJRT plugin; get one by ./meshbook engine install xla")
public @interface WithPlugin {}
