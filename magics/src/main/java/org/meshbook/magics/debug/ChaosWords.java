package org.meshbook.magics.debug;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.chaos.Chaos;
import org.meshbook.elastic.chaos.ChaosPlan;
import org.meshbook.elastic.chaos.ChaosReport;
import org.meshbook.elastic.chaos.FaultKind;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.Nearest;
import org.meshbook.magics.args.Given;
import org.meshbook.magics.args.Grammar;

/// The words behind `%chaos`: kinds of faults first, then `key=value` in any order.
///
/// @param kinds of faults
/// @param slice to which slice
/// @param step when; at most one of this and `every`
/// @param every length of a stretch in steps
/// @param seed of what is chosen
/// @param lasting how long
/// @param share of the time that a slow slice is stopped
/// @param anyway whether the run's minimum does not matter
record ChaosWords(
        List<FaultKind> kinds,
        Optional<Integer> slice,
        Optional<Integer> step,
        Optional<Integer> every,
        Optional<Integer> seed,
        Optional<Duration> lasting,
        Optional<Double> share,
        boolean anyway) {
    private static final Set<String> KEYS =
            Set.of("slice", "step", "every", "seed", "for", "share");
    private static final Set<String> WORDS = Set.of("at", "anyway");
    private static final int MOST = 999_999_999;

    ChaosWords {
        if (step.isPresent() && every.isPresent()) {
            throw new MagicException(
                    "%chaos: step= and every= together; give one fault at a step, or one in each"
                            + " stretch");
        }
    }

    static ChaosWords of(Grammar grammar, List<String> words) {
        var kinds = Arrays.stream(words.getFirst().split(",")).map(ChaosWords::kind).toList();
        var given = new Given(grammar, List.of(), values(words.subList(1, words.size())));
        return new ChaosWords(
                kinds,
                given.count("slice", 0, MOST),
                given.count("step", 0, MOST),
                given.count("every", 1, MOST),
                given.count("seed", 0, MOST),
                given.time("for"),
                given.text("share").map(ChaosWords::share),
                words.contains("anyway"));
    }

    private static FaultKind kind(String word) {
        try {
            return FaultKind.named(word);
        } catch (UsageError e) {
            throw new MagicException(
                    "%chaos: " + e.getMessage() + Nearest.hint(word, FaultKind.words()));
        }
    }

    private static Map<String, String> values(List<String> words) {
        var values = new LinkedHashMap<String, String>();
        for (var word : words) {
            if (WORDS.contains(word)) {
                continue;
            }
            int equals = word.indexOf('=');
            var key = equals < 0 ? word : word.substring(0, equals);
            if (equals < 0 || !KEYS.contains(key)) {
                throw new MagicException(
                        "%%chaos does not understand '%s'; as in %%chaos kill slice=2 at step=130%s"
                                .formatted(word, Nearest.hint(key, KEYS)));
            }
            values.put(key, word.substring(equals + 1));
        }
        return values;
    }

    private static double share(String value) {
        if (!value.matches("0?\\.\\d{1,6}")) {
            throw new MagicException(
                    "%%chaos: share is '%s'; give the part of the time that it is stopped, as 0.5"
                            .formatted(value));
        }
        return Double.parseDouble(value);
    }

    ChaosReport apply(Chaos chaos) {
        var plan = plan(chaos);
        if (step.isPresent()) {
            return plan.atStep(step.get());
        }
        return every.isPresent() ? plan.every(every.get()) : plan.now();
    }

    private ChaosPlan plan(Chaos chaos) {
        var plan = chaos.any(kinds.toArray(FaultKind[]::new));
        plan = slice.isPresent() ? plan.slice(slice.get()) : plan;
        plan = seed.isPresent() ? plan.seed(seed.get()) : plan;
        plan = lasting.isPresent() ? plan.lasting(lasting.get()) : plan;
        plan = share.isPresent() ? plan.share(share.get()) : plan;
        return anyway ? plan.anyway() : plan;
    }
}
