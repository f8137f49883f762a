package org.meshbook.kernel.jshell;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Field;
import java.util.function.IntConsumer;

/// Keeps libraries that a cell calls from ending the process: `Runtime.exit` and `Runtime.halt` ask
/// [Guard] first. The [Weaver] sees to the cells' own code, also where there is no agent.
///
/// The kernel's own threads belong to no cell, and leave as ever.
final class ExitTrap {
    private static final System.Logger LOG = System.getLogger(ExitTrap.class.getName());
    private static final ClassDesc LOADER = ClassDesc.of("java.lang.ClassLoader");
    private static final ClassDesc FIELD = Field.class.describeConstable().orElseThrow();
    private static final ClassDesc ASKED = IntConsumer.class.describeConstable().orElseThrow();

    private ExitTrap() {}

    /// Sets it; without effect if the VM does not allow it.
    static void set(Instrumentation agent) {
        try (var code = Runtime.class.getResourceAsStream("Runtime.class")) {
            if (code != null) {
                agent.redefineClasses(
                        new ClassDefinition(Runtime.class, asking(code.readAllBytes())));
            }
        } catch (IOException
                | ClassNotFoundException
                | UnmodifiableClassException
                | RuntimeException
                | LinkageError e) {
            LOG.log(Level.DEBUG, "libraries can end the process", e);
        }
    }

    private static byte[] asking(byte[] runtime) {
        var file = ClassFile.of();
        return file.transformClass(
                file.parse(runtime),
                ClassTransform.transformingMethodBodies(
                        ExitTrap::endsProcess,
                        CodeTransform.ofStateful(
                                () ->
                                        new CodeTransform() {
                                            @Override
                                            public void atStart(CodeBuilder builder) {
                                                ask(builder);
                                            }

                                            @Override
                                            public void accept(
                                                    CodeBuilder builder,
                                                    java.lang.classfile.CodeElement element) {
                                                builder.with(element);
                                            }
                                        })));
    }

    private static boolean endsProcess(MethodModel method) {
        return (method.methodName().equalsString("exit")
                        || method.methodName().equalsString("halt"))
                && method.methodType().equalsString("(I)V");
    }

    /// The platform's classes do not see ours, and find them by name.
    private static void ask(CodeBuilder builder) {
        builder.ldc(Guard.class.getName())
                .iconst_1()
                .invokestatic(LOADER, "getSystemClassLoader", MethodTypeDesc.of(LOADER))
                .invokestatic(
                        ConstantDescs.CD_Class,
                        "forName",
                        MethodTypeDesc.of(
                                ConstantDescs.CD_Class,
                                ConstantDescs.CD_String,
                                ConstantDescs.CD_boolean,
                                LOADER))
                .ldc("LEAVING")
                .invokevirtual(
                        ConstantDescs.CD_Class,
                        "getField",
                        MethodTypeDesc.of(FIELD, ConstantDescs.CD_String))
                .aconst_null()
                .invokevirtual(
                        FIELD,
                        "get",
                        MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object))
                .checkcast(ASKED)
                .iload(1)
                .invokeinterface(
                        ASKED,
                        "accept",
                        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int));
    }
}
