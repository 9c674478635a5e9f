import CommandLineKit
import JSON
import NovaBlendTextSearch

/// A service or a staff member of a salon, as a person can name it.
struct SalonMember: Sendable, Hashable {
    let id: String
    let name: String

    init?(_ object: JSONObject) {
        guard let id = object.text("id") else { return nil }
        self.id = id
        name = object.text("name") ?? id
    }

    /// The member with the id `typed`, or the only one whose name matches, in the same way as the
    /// names of salons. Throws `usage` with the candidates if none or several match.
    ///
    /// - Parameter kind: What the members are, such as `service`.
    static func find(
        _ typed: String,
        among members: [SalonMember],
        _ kind: String,
        of salon: String
    ) throws(CommandError) -> SalonMember {
        if let member = members.first(where: { $0.id == typed }) { return member }
        let query = TextQuery(typed)
        let matches = members.filter { query.isFound(in: [$0.name]) }
        if matches.count == 1 { return matches[0] }
        let sameName = matches.filter { TextQuery.isSame($0.name, typed) }
        if sameName.count == 1 { return sameName[0] }
        let candidates = matches.isEmpty ? members : matches
        let problem =
            if members.isEmpty {
                "\(salon) lists no \(kind)s"
            } else if matches.isEmpty {
                "\(salon) has no \(kind) \(typed)"
            } else {
                "\(matches.count) \(kind)s of \(salon) match \(typed)"
            }
        throw CommandError(
            .usage,
            SafeText.line(problem),
            note: "nothing was changed",
            suggestions: candidates.prefix(20).map(\.suggestion)
        )
    }

    /// The `members` whose names match, as suggestions.
    static func matches(of typed: String, among members: [SalonMember]) -> [String] {
        let query = TextQuery(typed)
        return members.filter { query.isFound(in: [$0.name]) }.map(\.suggestion)
    }

    private var suggestion: String { "\(id)  \(name)" }
}
