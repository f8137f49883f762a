package org.meshbook.elastic.array;

/// The inverse of the error function by polynomials of `w = -log(1 - x²)`, with the coefficients
/// that XLA uses too.
///
/// Source: Giles, Approximating the erfinv function, GPU Computing Gems, 2011
final class ErrorInverse {
    private static final double CENTRAL = 5;
    private static final double[] NEAR = {
        2.81022636e-08,
        3.43273939e-07,
        -3.5233877e-06,
        -4.39150654e-06,
        0.00021858087,
        -0.00125372503,
        -0.00417768164,
        0.246640727,
        1.50140941
    };
    private static final double[] FAR = {
        -0.000200214257,
        0.000100950558,
        0.00134934322,
        -0.00367342844,
        0.00573950773,
        -0.0076224613,
        0.00943887047,
        1.00167406,
        2.83297682
    };

    private static final double[] NEAR_F64 = {
        -3.64441206401782e-21, -1.6850591381820166e-19, 1.28584807152564e-18,
        1.1157877678025181e-17, -1.3331716628546209e-16, 2.0972767875968562e-17,
        6.6376381343583238e-15, -4.0545662729752069e-14, -8.1519341976054722e-14,
        2.6335093153082323e-12, -1.2975133253453532e-11, -5.4154120542946279e-11,
        1.0512122733215323e-09, -4.1126339803469837e-09, -2.9070369957882005e-08,
        4.2347877827932404e-07, -1.3654692000834679e-06, -1.3882523362786469e-05,
        0.00018673420803405714, -0.000740702534166267, -0.0060336708714301491,
        0.24015818242558962, 1.6536545626831027
    };
    private static final double[] FAR_F64 = {
        2.2137376921775787e-09, 9.0756561938885391e-08, -2.7517406297064545e-07,
        1.8239629214389228e-08, 1.5027403968909828e-06, -4.013867526981546e-06,
        2.9234449089955446e-06, 1.2475304481671779e-05, -4.7318229009055734e-05,
        6.8284851459573175e-05, 2.4031110387097894e-05, -0.00035503752036284748,
        0.0009532893797373805, -0.0016882755560235047, 0.0024914420961078508,
        -0.0037512085075692412, 0.0053709145535900636, 1.0052589676941592,
        3.0838856104922208
    };
    private static final double[] FARTHEST_F64 = {
        -2.7109920616438573e-11, -2.5556418169965252e-10, 1.5076572693500548e-09,
        -3.789465440126737e-09, 7.61570120807834e-09, -1.496002662714924e-08,
        2.9147953450901081e-08, -6.7711997758452339e-08, 2.2900482228026655e-07,
        -9.9298272942317e-07, 4.5260625972231537e-06, -1.9681778105531671e-05,
        7.5995277030017761e-05, -0.00021503011930044477, -0.00013871931833623122,
        1.0103004648645344, 4.8499064014085844
    };

    private ErrorInverse() {}

    static Array of(Array x) {
        return switch (x.dtype()) {
            case F32 -> f32(x);
            case F64 -> f64(x);
            default -> f32(x.cast(DType.F32)).cast(x.dtype());
        };
    }

    private static Array f32(Array x) {
        var w = x.mul(x.neg()).log1p().neg();
        var near = w.lt(CENTRAL);
        var t = near.select(w.sub(2.5), root(near, w).sub(3));
        Array p = Array.where(near, NEAR[0], choice(t, FAR[0]));
        for (int i = 1; i < NEAR.length; i++) {
            p = Array.where(near, NEAR[i], choice(t, FAR[i])).add(p.mul(t));
        }
        return ends(x, p);
    }

    private static Array f64(Array x) {
        var w = x.mul(x.neg()).log1p().neg();
        var isNear = w.lt(6.25);
        var root = root(isNear, w);
        var near = polynomial(NEAR_F64, w.sub(3.125));
        var far = polynomial(FAR_F64, root.sub(3.25));
        var farthest = polynomial(FARTHEST_F64, root.sub(5));
        return ends(x, isNear.select(near, w.lt(16).select(far, farthest)));
    }

    /// Where it is not used it has a slope all the same: a root's at 0 is none.
    private static Array root(Array unused, Array w) {
        return unused.select(choice(w, 1), w).sqrt();
    }

    private static Array polynomial(double[] coefficients, Array t) {
        Array p = choice(t, coefficients[0]);
        for (int i = 1; i < coefficients.length; i++) {
            p = choice(t, coefficients[i]).add(p.mul(t));
        }
        return p;
    }

    private static Array choice(Array like, double value) {
        return Apply.scalarLike(like, value);
    }

    private static Array ends(Array x, Array p) {
        return x.abs().eq(1).select(x.sign().mul(Double.POSITIVE_INFINITY), p.mul(x));
    }
}
