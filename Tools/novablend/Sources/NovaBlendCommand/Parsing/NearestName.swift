/// What somebody may have meant who mistyped a name.
enum NearestName {
    /// `; did you mean X?`, or nothing when no name is near.
    static func hint(for typed: String, among names: [String]) -> String {
        let near = names.map { (name: $0, distance: distance(typed, $0)) }
            .filter { $0.distance <= max(1, $0.name.count / 3) }
            .min { $0.distance < $1.distance }
        return near.map { "; did you mean \($0.name)?" } ?? ""
    }

    /// How many characters must be added, left out, replaced or swapped with their neighbour.
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
