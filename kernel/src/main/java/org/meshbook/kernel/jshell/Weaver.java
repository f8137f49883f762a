package org.meshbook.kernel.jshell;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import jdk.jshell.spi.ExecutionControl.ClassBytecodes;
import org.jspecify.annotations.Nullable;

/// Weaves stop checks into every method entry and backward branch of a cell's classes, and takes
/// out calls that would end the process.
///
/// Source of the idea: `jdk.jshell.execution.LocalExecutionControl`, whose one flag stops every
/// thread of every cell; ours asks the cell that the thread belongs to.
final class Weaver {
    private static final System.Logger LOG = System.getLogger(Weaver.class.getName());
    private static final ClassDesc GUARD = Guard.class.describeConstable().orElseThrow();
    private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
    private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
    private static final MethodTypeDesc OF_INT =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
    private static final MethodTypeDesc OF_RUNTIME_INT =
            MethodTypeDesc.of(ConstantDescs.CD_void, RUNTIME, ConstantDescs.CD_int);

    private final ClassLoader loader;

    /// @param loader finds the classes of earlier snippets as resources
    Weaver(ClassLoader loader) {
        this.loader = loader;
    }

    /// @param classes one batch, whose classes may extend one another
    /// @return the same with checks
    ClassBytecodes[] weave(ClassBytecodes[] classes) {
        var batch = new HashMap<String, byte[]>();
        for (var each : classes) {
            batch.put(each.name().replace('.', '/'), each.bytecodes());
        }
        var classFile = ClassFile.of(ClassHierarchyResolverOption.of(resolver(batch)));
        var woven = new ClassBytecodes[classes.length];
        for (var i = 0; i < classes.length; i++) {
            woven[i] = new ClassBytecodes(classes[i].name(), weave(classFile, classes[i]));
        }
        return woven;
    }

    /// A class that cannot be woven runs as it is: it then stops only where it heeds an interrupt.
    private static byte[] weave(ClassFile classFile, ClassBytecodes original) {
        try {
            return woven(classFile, original);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "class=" + original.name() + " cannot be woven", e);
            return original.bytecodes();
        }
    }

    private static byte[] woven(ClassFile classFile, ClassBytecodes original) {
        return classFile.transformClass(
                classFile.parse(original.bytecodes()),
                (type, element) -> {
                    if (element instanceof MethodModel method) {
                        var body = isBody(method);
                        type.transformMethod(
                                method,
                                MethodTransform.transformingCode(
                                        CodeTransform.ofStateful(() -> new MethodWeaver(body))));
                    } else {
                        type.with(element);
                    }
                });
    }

    /// Of the snippet itself, which runs once.
    private static boolean isBody(MethodModel method) {
        return method.methodName().equalsString("do_it$");
    }

    private ClassHierarchyResolver resolver(Map<String, byte[]> batch) {
        return ClassHierarchyResolver.defaultResolver()
                .orElse(ClassHierarchyResolver.ofResourceParsing(type -> open(batch, type)));
    }

    private @Nullable InputStream open(Map<String, byte[]> batch, ClassDesc type) {
        var descriptor = type.descriptorString();
        var name = descriptor.substring(1, descriptor.length() - 1);
        var bytes = batch.get(name);
        return bytes != null
                ? new ByteArrayInputStream(bytes)
                : loader.getResourceAsStream(name + ".class");
    }

    private static final class MethodWeaver implements CodeTransform {
        private final Set<Label> seen = new HashSet<>();
        private final boolean body;

        MethodWeaver(boolean body) {
            this.body = body;
        }

        @Override
        public void atStart(CodeBuilder builder) {
            check(builder);
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
            switch (element) {
                case LabelTarget target -> {
                    seen.add(target.label());
                    builder.with(element);
                }
                case BranchInstruction branch when seen.contains(branch.target()) -> {
                    check(builder);
                    builder.with(element);
                }
                case LineNumber _ -> {
                    // A block is several statements, of which each may be the last one.
                    builder.with(element);
                    if (body) {
                        check(builder);
                    }
                }
                case InvokeInstruction call when endsProcess(call) -> replace(builder, call);
                case InvokeDynamicInstruction call -> builder.invokedynamic(harmless(call));
                default -> builder.with(element);
            }
        }

        private static void check(CodeBuilder builder) {
            builder.invokestatic(GUARD, "check", ConstantDescs.MTD_void);
        }

        private static boolean endsProcess(InvokeInstruction call) {
            return endsProcess(
                    call.owner().asSymbol(), call.name().stringValue(), call.typeSymbol());
        }

        private static boolean endsProcess(ClassDesc owner, String name, MethodTypeDesc type) {
            if (!type.equals(OF_INT)) {
                return false;
            }
            return owner.equals(SYSTEM)
                    ? name.equals("exit")
                    : owner.equals(RUNTIME) && (name.equals("exit") || name.equals("halt"));
        }

        /// `System::exit` is a handle among the arguments of a lambda's bootstrap.
        private static DynamicCallSiteDesc harmless(InvokeDynamicInstruction call) {
            var arguments =
                    call.bootstrapArgs().stream()
                            .map(MethodWeaver::harmless)
                            .toArray(ConstantDesc[]::new);
            return DynamicCallSiteDesc.of(
                    call.bootstrapMethod(),
                    call.name().stringValue(),
                    call.typeSymbol(),
                    arguments);
        }

        private static ConstantDesc harmless(ConstantDesc argument) {
            if (!(argument instanceof DirectMethodHandleDesc handle)
                    || (handle.kind() != DirectMethodHandleDesc.Kind.STATIC
                            && handle.kind() != DirectMethodHandleDesc.Kind.VIRTUAL)) {
                return argument;
            }
            var isStatic = handle.kind() == DirectMethodHandleDesc.Kind.STATIC;
            var called = MethodTypeDesc.ofDescriptor(handle.lookupDescriptor());
            return endsProcess(handle.owner(), handle.methodName(), called)
                    ? MethodHandleDesc.ofMethod(
                            DirectMethodHandleDesc.Kind.STATIC,
                            GUARD,
                            handle.methodName(),
                            isStatic ? OF_INT : OF_RUNTIME_INT)
                    : argument;
        }

        private static void replace(CodeBuilder builder, InvokeInstruction call) {
            var type = call.opcode() == Opcode.INVOKESTATIC ? OF_INT : OF_RUNTIME_INT;
            builder.invokestatic(GUARD, call.name().stringValue(), type);
        }
    }
}
