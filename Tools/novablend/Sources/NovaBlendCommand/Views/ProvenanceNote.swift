import JSON

/// What is said beside a list that does not come fresh from the remote.
enum ProvenanceNote {
    static func notes(of answer: JSONObject) -> [String?] {
        guard let provenance = answer.child("provenance") else { return [] }
        return [source(provenance), kept(provenance), warning(provenance)]
    }

    private static func source(_ provenance: JSONObject) -> String? {
        guard provenance.text("source") == "cache" else { return nil }
        let reason = provenance.text("remoteError").map {
            ", since the server could not deliver it: \($0)"
        }
        let age = Age.text(seconds: provenance.integer("ageSeconds") ?? 0)
        return "from the cache, \(age) old\(reason ?? "")"
    }

    /// With the reason where there is no list that it could be said of.
    private static func warning(_ provenance: JSONObject) -> String? {
        guard let warning = provenance.text("warning") else { return nil }
        let reason = provenance.text("source") == "none" ? provenance.text("remoteError") : nil
        return reason.map { "\(warning): \($0)" } ?? warning
    }

    private static func kept(_ provenance: JSONObject) -> String? {
        provenance.text("cacheError").map { "not kept for offline use: \($0)" }
    }
}

/// A stretch of time as people say it.
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
