import JSON

/// The notes next to a list that does not come from the server.
enum ProvenanceNote {
    static func notes(of result: JSONObject) -> [String?] {
        guard let provenance = result.child("provenance") else { return [] }
        return [source(provenance), cacheError(provenance), warning(provenance)]
    }

    private static func source(_ provenance: JSONObject) -> String? {
        guard provenance.text("source") == "cache" else { return nil }
        let reason = provenance.text("remoteError").map {
            ", since the server could not deliver it: \($0)"
        }
        let age = Age.text(seconds: provenance.integer("ageSeconds") ?? 0)
        return "from the cache, \(age) old\(reason ?? "")"
    }

    /// With the reason if there is no list.
    private static func warning(_ provenance: JSONObject) -> String? {
        guard let warning = provenance.text("warning") else { return nil }
        let reason = provenance.text("source") == "none" ? provenance.text("remoteError") : nil
        return reason.map { "\(warning): \($0)" } ?? warning
    }

    private static func cacheError(_ provenance: JSONObject) -> String? {
        provenance.text("cacheError").map { "not cached: \($0)" }
    }
}

/// A duration for people.
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
