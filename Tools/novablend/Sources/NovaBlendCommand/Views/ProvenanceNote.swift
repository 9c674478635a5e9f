import JSON

/// What is said beside a list that does not come fresh from the remote.
enum ProvenanceNote {
    static func notes(of answer: JSONObject) -> [String?] {
        guard let provenance = answer.child("provenance") else { return [] }
        return [source(provenance), kept(provenance), provenance.text("warning")]
    }

    private static func source(_ provenance: JSONObject) -> String? {
        let reason = provenance.text("remoteError").map {
            ", since the server could not deliver it: \($0)"
        }
        switch provenance.text("source") {
        case "cache":
            let age = Age.text(seconds: provenance.integer("ageSeconds") ?? 0)
            return "from the cache, \(age) old\(reason ?? "")"
        case "none": return "nothing is cached that may be shown\(reason ?? "")"
        default: return nil
        }
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
