package org.dflib.jjava.jupyter.kernel.magic;

import java.util.List;
import org.dflib.jjava.jupyter.kernel.BaseKernel;
import org.jspecify.annotations.Nullable;

/// `%%name`.
public interface CellMagic<T extends @Nullable Object, K extends BaseKernel> {
    /// @param kernel the kernel
    /// @param args the words after the name
    /// @param body the lines below
    /// @return its value
    /// @throws Exception what went wrong
    T eval(K kernel, List<String> args, String body) throws Exception;
}
