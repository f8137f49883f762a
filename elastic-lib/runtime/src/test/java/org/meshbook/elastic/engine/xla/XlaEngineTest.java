package org.meshbook.elastic.engine.xla;

import org.meshbook.elastic.engine.EngineContract;

@WithPlugin
class XlaEngineTest extends EngineContract {
    XlaEngineTest() {
        super(new XlaEngine());
    }
}
