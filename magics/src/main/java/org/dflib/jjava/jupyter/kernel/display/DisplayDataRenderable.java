package org.dflib.jjava.jupyter.kernel.display;

import java.util.Set;
import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;

/// A value that renders itself.
public interface DisplayDataRenderable {
    Set<MIMEType> ANY = Set.of(MIMEType.ANY);

    default Set<MIMEType> getSupportedRenderTypes() {
        return ANY;
    }

    default Set<MIMEType> getPreferredRenderTypes() {
        return ANY;
    }

    /// @param context what is wanted, and where it goes
    void render(RenderContext context);
}
