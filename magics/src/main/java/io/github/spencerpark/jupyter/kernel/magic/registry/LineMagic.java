package io.github.spencerpark.jupyter.kernel.magic.registry;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Makes a method a magic when its object is registered.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface LineMagic {
    /// @return its name; empty for the method's
    String value() default "";

    /// @return more names
    String[] aliases() default {};
}
