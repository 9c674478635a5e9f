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

    init(_ check: String, _ state: State, _ found: String, advice: String? = nil) {
        self.check = check
        self.state = state
        self.found = found
        self.advice = advice
    }

    /// Encodes findings as an object, `{"checks": [{"check", "state", "found", "advice"?}]}`.
    public static func encode(_ findings: [Finding]) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.key("checks")
                writer.array { writer in
                    for finding in findings { finding.write(to: &writer) }
                }
            }
        }
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
