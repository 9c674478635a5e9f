/// Finds the name that a user probably meant.
public enum NearestName {
    /// The name that is closest to `typed`, regardless of case; nil if none is close.
    public static func suggestion(for typed: String, among names: [String]) -> String? {
        let typed = typed.lowercased()
        return names.map { (name: $0, distance: distance(typed, $0.lowercased())) }
            .filter { $0.distance <= max(1, $0.name.count / 3) }
            .min { $0.distance < $1.distance }?.name
    }

    /// `; did you mean NAME?`, or nothing.
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
