public import JSON

/// The result of one check.
public struct Finding: Sendable, Hashable {
    /// The severity.
    public enum State: String, Sendable, CaseIterable { case ok, warn, fail }

    /// The name of the check.
    public var check: String
    /// The severity.
    public var state: State
    /// What was found.
    public var found: String
    /// What to do about it; nil if there is nothing to do.
    public var advice: String?

    /// Encodes findings as an object, `{"checks": [{"check", "state", "found", "advice"?}]}`.
    public static func encode(_ findings: [Finding]) -> JSONFragment {
        ObjectFragment { writer in
            writer.array("checks") { writer in
                for finding in findings { finding.write(to: &writer) }
            }
        }.fragment
    }

    private func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("check", check)
            writer.member("state", state.rawValue)
            writer.member("found", found)
            writer.member("advice", advice)
        }
    }
}

/// A check of the doctor, which makes the findings.
protocol Check {
    /// The name of the check.
    var check: String { get }
}

extension Check {
    func ok(_ found: String) -> Finding { Finding(check: check, state: .ok, found: found) }

    func warn(_ found: String, advice: String? = nil) -> Finding {
        Finding(check: check, state: .warn, found: found, advice: advice)
    }

    func fail(_ found: String, advice: String? = nil) -> Finding {
        Finding(check: check, state: .fail, found: found, advice: advice)
    }
}
