import JSON

/// The notes about a result, which go to standard error.
enum ResultNotes {
    /// How to continue a list; nil if it has no more pages.
    static func page(_ count: Int, of result: JSONObject) -> String? {
        guard let next = result.text("nextCursor") else { return nil }
        let total = result.integer("total").map { " of \($0)" } ?? ""
        return "\(count)\(total) shown; continue with --cursor \(next)"
    }

    /// Where a list comes from if not from the server, whether it is complete, whether it could be
    /// cached, and a warning.
    static func provenance(of result: JSONObject) -> [String?] {
        guard let provenance = result.child("provenance") else { return [] }
        let cacheError = provenance.text("cacheError").map { "not cached: \($0)" }
        let gaps =
            (try? provenance.optional("complete")?.bool()) == false
            ? "incomplete: the whole list has not been loaded from the server yet" : nil
        return [source(provenance), gaps, cacheError, warning(provenance)]
    }

    /// The other accounts with open bookings in the same state directory.
    static func otherAccounts(in result: JSONObject) -> [String?] {
        result.objects("otherAccounts").map { entry in
            let open = entry.integer("open").map { "\($0) in doubt" } ?? entry.text("error")
            return "other account \(entry.text("account") ?? ""): \(open ?? "")"
        }
    }

    private static func source(_ provenance: JSONObject) -> String? {
        guard provenance.text("source") == "cache" else { return nil }
        let reason = provenance.text("serverError").map {
            "; the server could not deliver it: \($0)"
        }
        let age = provenance.integer("ageSeconds").map { "\(Age.text(seconds: $0)) old" }
        return "from the cache, \(age ?? "of unknown age")\(reason ?? "")"
    }

    /// The warning. If there is no list, the reason is added.
    private static func warning(_ provenance: JSONObject) -> String? {
        guard let warning = provenance.text("warning") else { return nil }
        let reason = provenance.text("source") == "none" ? provenance.text("serverError") : nil
        return reason.map { "\(warning): \($0)" } ?? warning
    }
}

/// Formats a duration for people.
enum Age {
    static func text(seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
