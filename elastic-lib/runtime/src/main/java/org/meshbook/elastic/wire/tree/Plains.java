package org.meshbook.elastic.wire.tree;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.wire.proto.PlainProto;

/// Values beside arrays as text: a closed set of types, so that nothing that is read makes an
/// object of a class of its choice.
final class Plains {
    private Plains() {}

    static PlainProto encode(Object value) {
        var type =
                switch (value) {
                    case Byte _ -> "i8";
                    case Short _ -> "i16";
                    case Integer _ -> "i32";
                    case Long _ -> "i64";
                    case Float _ -> "f32";
                    case Double _ -> "f64";
                    case Boolean _ -> "bool";
                    case Character _ -> "char";
                    case String _ -> "text";
                    case BigInteger _ -> "integer";
                    case BigDecimal _ -> "decimal";
                    case Enum<?> _ -> "enum";
                    default ->
                            throw new UsageError(
                                    "a %s cannot be published; trees that are published hold arrays,"
                                            + " numbers, strings and enums",
                                    value.getClass().getName());
                };
        var text = value instanceof Enum<?> constant ? constant.name() : value.toString();
        return PlainProto.newBuilder().setType(type).setText(text).build();
    }

    /// @return the value; the name of an enum's constant
    static Object decode(PlainProto plain) {
        var text = plain.getText();
        return switch (plain.getType()) {
            case "i8" -> Byte.valueOf(text);
            case "i16" -> Short.valueOf(text);
            case "i32" -> Integer.valueOf(text);
            case "i64" -> Long.valueOf(text);
            case "f32" -> Float.valueOf(text);
            case "f64" -> Double.valueOf(text);
            case "bool" -> Boolean.valueOf(text);
            case "char" -> text.isEmpty() ? '\0' : text.charAt(0);
            case "text", "enum" -> text;
            case "integer" -> new BigInteger(text);
            case "decimal" -> new BigDecimal(text);
            default ->
                    throw new UsageError(
                            "a published value has the type '%s', which this version does not know",
                            plain.getType());
        };
    }
}
