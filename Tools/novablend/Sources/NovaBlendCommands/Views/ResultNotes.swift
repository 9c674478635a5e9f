import Domain
import NovaBlendAdapters

/// The notes about a result, which go to standard error.
enum ResultNotes {
    /// How to continue a list; nil if it has no more pages.
    static func page(_ count: Int, of total: Int, next: String?) -> String? {
        next.map { "\(count) of \(total) shown; continue with --cursor \($0)" }
    }

    /// Where a list comes from if not from the server, whether it is complete, whether it could be
    /// cached, and a warning.
    static func provenance(_ provenance: Provenance) -> [String?] {
        [
            source(provenance),
            provenance.isComplete
                ? nil : "incomplete: the whole list has not been loaded from the server yet",
            provenance.cacheError.map { "not cached: \($0.description)" },
            warning(provenance),
        ]
    }

    /// The other accounts with open bookings in the same state directory.
    static func otherAccounts(_ accounts: OtherAccounts) -> [String?] {
        accounts.entries.map { entry in
            let open = entry.open.map { "\($0) in doubt" } ?? "its journal cannot be read"
            return "other account \(entry.account): \(open)"
        }
    }

    private static func source(_ provenance: Provenance) -> String? {
        guard provenance.source == .cache else { return nil }
        let reason = provenance.serverError.map {
            "; the server could not deliver it: \($0.description)"
        }
        let age = provenance.ageSeconds.map { "\(Age.text(seconds: Int($0))) old" }
        return "from the cache, \(age ?? "of unknown age")\(reason ?? "")"
    }

    /// The warning. If there is no list, the reason is added.
    private static func warning(_ provenance: Provenance) -> String? {
        guard let warning = provenance.warning else { return nil }
        let reason = provenance.source == .none ? provenance.serverError?.description : nil
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
