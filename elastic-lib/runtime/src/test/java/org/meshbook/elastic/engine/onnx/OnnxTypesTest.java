package org.meshbook.elastic.engine.onnx;

import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.TypesContract;

class OnnxTypesTest extends TypesContract {
    @Override
    protected Engine engine() {
        return new OnnxEngine();
    }
}
