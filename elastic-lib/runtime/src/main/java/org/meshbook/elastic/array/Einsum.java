package org.meshbook.elastic.array;

import static org.meshbook.elastic.UsageError.require;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.meshbook.elastic.MeshMismatch;

/// Sums of products that are written with a letter for each dimension.
///
/// Operands are contracted from left to right: letters that no later operand and not the result has
/// are summed as soon as they can be. Source:
/// https://numpy.org/doc/stable/reference/generated/numpy.einsum.html
final class Einsum {
    private final String spec;
    private final List<Term> terms = new ArrayList<>();
    private final String result;

    /// An array and the letters of its dimensions, none twice.
    private record Term(Array x, String letters) {
        int axis(char letter) {
            return letters.indexOf(letter);
        }

        Term without(String gone) {
            var axes = gone.chars().map(letters::indexOf).toArray();
            var kept = new StringBuilder();
            letters.chars().filter(c -> gone.indexOf(c) < 0).forEach(c -> kept.append((char) c));
            return axes.length == 0 ? this : new Term(x.sum(axes), kept.toString());
        }
    }

    /// What a letter means, and the type that said so.
    private record Sized(int size, ArrayType type) {}

    private Einsum(String spec, Array... arrays) {
        this.spec = spec.replace(" ", "");
        var sides = this.spec.split("->", -1);
        var inputs = sides[0].split(",", -1);
        require(
                sides.length <= 2 && this.spec.matches("[a-zA-Z,]*(->[a-zA-Z]*)?"),
                "einsum '%s': write letters, commas and one '->', as in 'ij,jk->ik'",
                spec);
        require(
                inputs.length == arrays.length,
                "einsum '%s': names %d arrays, got %d",
                spec,
                inputs.length,
                arrays.length);
        check(inputs, arrays);
        for (int i = 0; i < arrays.length; i++) {
            terms.add(diagonals(arrays[i], inputs[i]));
        }
        this.result = sides.length == 2 ? sides[1] : implied(sides[0]);
        for (char letter : result.toCharArray()) {
            require(
                    sides[0].indexOf(letter) >= 0
                            && result.indexOf(letter) == result.lastIndexOf(letter),
                    "einsum '%s': '%s' of the result must stand there once, and in an array",
                    spec,
                    letter);
        }
    }

    static Array of(String spec, Array... arrays) {
        return new Einsum(spec, arrays).contracted();
    }

    /// Letters fit the arrays, and each means one size.
    private void check(String[] inputs, Array... arrays) {
        Map<Character, Sized> known = new HashMap<>();
        for (int i = 0; i < arrays.length; i++) {
            var type = arrays[i].type();
            if (inputs[i].length() != type.shape().rank()) {
                throw new MeshMismatch(
                        "einsum '%s': '%s' has %d letters for the %d dimensions of %s",
                        spec, inputs[i], inputs[i].length(), type.shape().rank(), type);
            }
            for (int d = 0; d < inputs[i].length(); d++) {
                char letter = inputs[i].charAt(d);
                var now = new Sized(type.shape().dim(d), type);
                var before = known.getOrDefault(letter, now);
                if (before.size() != now.size()) {
                    throw new MeshMismatch(
                            "einsum '%s': '%s' is %d in %s and %d in %s; sizes must be equal",
                            spec, letter, before.size(), before.type(), now.size(), type);
                }
                known.put(letter, before);
            }
        }
    }

    /// The letters that stand once, in alphabetical order.
    private static String implied(String inputs) {
        var once = new TreeSet<Character>();
        for (char letter : inputs.replace(",", "").toCharArray()) {
            if (inputs.indexOf(letter) == inputs.lastIndexOf(letter)) {
                once.add(letter);
            }
        }
        var text = new StringBuilder();
        once.forEach(text::append);
        return text.toString();
    }

    /// A letter that an array has twice means its diagonal.
    private static Term diagonals(Array array, String letters) {
        var x = array;
        var left = new StringBuilder(letters);
        for (int i = 0; i < left.length(); i++) {
            char letter = left.charAt(i);
            for (int j = left.length() - 1; j > i; j--) {
                if (left.charAt(j) == letter) {
                    x = x.moveAxis(j, -1).moveAxis(i, -1).diagonal().moveAxis(-1, i);
                    left.deleteCharAt(j);
                }
            }
        }
        return new Term(x, left.toString());
    }

    private Array contracted() {
        var sum = alone(terms.getFirst(), 1);
        for (int i = 1; i < terms.size(); i++) {
            sum = pair(sum, alone(terms.get(i), i + 1, sum.letters()), i + 1);
        }
        var last = sum;
        return last.x().transpose(result.chars().map(last.letters()::indexOf).toArray());
    }

    /// Sums over the letters that nothing else has.
    private Term alone(Term term, int next, String... others) {
        var needed = needed(next);
        Arrays.stream(others).forEach(letters -> addAll(needed, letters));
        var gone = new StringBuilder();
        for (char letter : term.letters().toCharArray()) {
            if (!needed.contains(letter)) {
                gone.append(letter);
            }
        }
        return term.without(gone.toString());
    }

    private Term pair(Term a, Term b, int next) {
        var needed = needed(next);
        var lhsBatch = new ArrayList<Integer>();
        var rhsBatch = new ArrayList<Integer>();
        var lhsSum = new ArrayList<Integer>();
        var rhsSum = new ArrayList<Integer>();
        var letters = new StringBuilder();
        for (char letter : a.letters().toCharArray()) {
            if (b.axis(letter) >= 0) {
                boolean kept = needed.contains(letter);
                (kept ? lhsBatch : lhsSum).add(a.axis(letter));
                (kept ? rhsBatch : rhsSum).add(b.axis(letter));
                letters.append(kept ? String.valueOf(letter) : "");
            }
        }
        for (char letter : a.letters().toCharArray()) {
            letters.append(b.axis(letter) < 0 ? String.valueOf(letter) : "");
        }
        for (char letter : b.letters().toCharArray()) {
            letters.append(a.axis(letter) < 0 ? String.valueOf(letter) : "");
        }
        var x = a.x().dotGeneral(b.x(), lhsBatch, rhsBatch, lhsSum, rhsSum);
        return new Term(x, letters.toString());
    }

    /// Letters of the result and of the terms from `next` on.
    private Set<Character> needed(int next) {
        var letters = new HashSet<Character>();
        addAll(letters, result);
        terms.subList(next, terms.size()).forEach(term -> addAll(letters, term.letters()));
        return letters;
    }

    private static void addAll(Set<Character> set, String letters) {
        letters.chars().forEach(c -> set.add((char) c));
    }
}
