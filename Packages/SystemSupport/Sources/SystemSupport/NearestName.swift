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
        let nearest = names.map { (name: $0, distance: distance(folded, $0.lowercased())) }
            .filter { $0.distance <= max(1, $0.name.count / 3) }
            .min { $0.distance < $1.distance }
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
        let (first, second) = (Array(first.prefix(64)), Array(second))
        var rows = [Array(0...second.count)]
        for i in first.indices {
            var row = [i + 1]
            for j in second.indices {
                let isSame = first[i] == second[j]
                var best = min(rows[i][j] + (isSame ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}
