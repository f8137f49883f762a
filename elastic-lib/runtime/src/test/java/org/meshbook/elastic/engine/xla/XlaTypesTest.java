package org.meshbook.elastic.engine.xla;

import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.TypesContract;

@WithPlugin
class XlaTypesTest extends TypesContract {
    @Override
    protected Engine engine() {
        return new XlaEngine();
    }
}
