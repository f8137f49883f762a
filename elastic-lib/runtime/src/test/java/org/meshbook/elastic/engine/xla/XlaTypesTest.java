package org.meshbook.elastic.engine.xla;

import static org.meshbook.elastic.array.DType.BF16;
import static org.meshbook.elastic.array.DType.F16;
import static org.meshbook.elastic.array.DType.U64;

import java.util.List;
import java.util.Optional;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.Op;
import org.meshbook.elastic.array.Op.BinaryKind;
import org.meshbook.elastic.array.Op.ReduceKind;
import org.meshbook.elastic.engine.Engine;
import org.meshbook.elastic.engine.TypesContract;

@WithPlugin
class XlaTypesTest extends TypesContract {
    @Override
    protected Engine engine() {
        return new XlaEngine();
    }

    @Override
    protected Optional<String> differs(Op op, List<ArrayType> types) {
        var first = (types.isEmpty() ? ArrayType.of(BF16) : types.getFirst()).dtype();
        return Optional.ofNullable(
                switch (op) {
                    case Op.Binary(var kind) when kind == BinaryKind.POWER && !first.isFloat() ->
                            "XLA reads the lowest six bits of an integer exponent";
                    case Op.Convert(var to) when to == U64 && first.isFloat() ->
                            "XLA does not saturate where a float is too large for u64";
                    case Op.Take _ when types.get(1).dtype() == U64 ->
                            "XLA reads an index of u64 as a signed number";
                    case Op.Reduce(var kind, _)
                            when kind == ReduceKind.SUM && (first == BF16 || first == F16) ->
                            "XLA adds in the narrow type";
                    default -> null;
                });
    }
}
