/// Finds the name that a user probably meant.
public enum NearestName {
    /// The name that a user who typed `typed` probably meant, regardless of case; nil if no name is
    /// close.
    ///
    /// This is the name that differs from `typed` in the fewest characters. If every name differs
    /// in more than a few, it is the closest name whose words are all in `typed`, or that contains
    /// all words of `typed`, such as `startDate` for `start`; nil if several are equally close.
    public static func suggestion(for typed: String, among names: [String]) -> String? {
        let folded = typed.lowercased()
        let length = folded.prefix(64).count
        let nearest = names.compactMap { name -> (name: String, distance: Int)? in
            let maximum = max(1, name.count / 3)
            // Names of very different lengths cannot be close.
            guard abs(name.count - length) <= maximum else { return nil }
            let distance = distance(folded, name.lowercased())
            return distance <= maximum ? (name, distance) : nil
        }.min { $0.distance < $1.distance }
        return nearest?.name ?? relative(of: typed, among: names)
    }

    private static func relative(of typed: String, among names: [String]) -> String? {
        let wanted = words(of: typed)
        let related = names.map { (name: $0, words: words(of: $0)) }
            .filter { !$0.words.isDisjoint(with: wanted) }
            .filter { $0.words.isSubset(of: wanted) || wanted.isSubset(of: $0.words) }
            .map { (name: $0.name, difference: $0.words.symmetricDifference(wanted).count) }
        let least = related.map(\.difference).min()
        let closest = related.filter { $0.difference == least }
        return closest.count == 1 ? closest.first?.name : nil
    }

    /// The words of `startDate`, `start_date`, or `start dates`, in lowercase and without the `s` of a
    /// plural. Only the first 64 characters count.
    private static func words(of name: String) -> Set<String> {
        var words: [String] = [""]
        var wasLowercase = false
        for character in name.prefix(64) {
            if !character.isLetter, !character.isNumber {
                words.append("")
            } else {
                if character.isUppercase, wasLowercase { words.append("") }
                words[words.count - 1] += character.lowercased()
            }
            wasLowercase = character.isLowercase
        }
        return Set(
            words.filter { !$0.isEmpty }
                .map { $0.count > 2 && $0.hasSuffix("s") ? String($0.dropLast()) : $0 }
        )
    }

    /// The text to append to an error message: `; did you mean NAME?`, or an empty string if no
    /// name is close to `typed`.
    public static func hint(for typed: String, among names: [String]) -> String {
        suggestion(for: typed, among: names).map { "; did you mean \($0)?" } ?? ""
    }

    /// How many characters must be added, removed, replaced, or swapped with a neighbor to turn one
    /// name into the other (optimal string alignment distance). Only the first 64 characters of
    /// `first` are compared.
    static func distance(_ first: String, _ second: String) -> Int {
        // Nearly all names are ASCII, and comparing bytes is much faster than comparing characters.
        let areASCII = [first, second].allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        return areASCII
            ? distance(Array(first.utf8.prefix(64)), Array(second.utf8))
            : distance(Array(first.prefix(64)), Array(second))
    }

    private static func distance<Unit: Equatable>(_ first: [Unit], _ second: [Unit]) -> Int {
        var (beforeLast, last) = ([Int](), Array(0...second.count))
        for i in first.indices {
            var row = [Int](repeating: i + 1, count: second.count + 1)
            for j in second.indices {
                let isSame = first[i] == second[j]
                var best = min(last[j] + (isSame ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row[j + 1] = best
            }
            (beforeLast, last) = (last, row)
        }
        return last[second.count]
    }
}
