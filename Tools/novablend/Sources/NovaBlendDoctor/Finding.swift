import Glibc
public import JSON

/// The result of one check.
public struct Finding: Sendable, Hashable {
    /// The severity of a finding.
    public enum State: String, Sendable, CaseIterable { case ok, warn, fail }

    /// The name of the check that made the finding.
    public var check: String
    /// The severity of the finding.
    public var state: State
    /// What the check found.
    public var found: String
    /// What the user can do about the finding; nil if there is nothing to do.
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

/// A check of the doctor. It makes one finding with ``ok(_:)``, ``warn(_:advice:)``, or
/// ``fail(_:advice:)``.
protocol Check {
    /// The name of the check.
    var check: String { get }
}

extension Check {
    /// The first 64 bytes of a file, up to the end of its first line; nil if it cannot be read or is
    /// empty.
    func firstLine(ofFile path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(String(decoding: bytes.prefix(count), as: UTF8.self).prefix { !$0.isNewline })
    }

    func ok(_ found: String) -> Finding { Finding(check: check, state: .ok, found: found) }

    func warn(_ found: String, advice: String? = nil) -> Finding {
        Finding(check: check, state: .warn, found: found, advice: advice)
    }

    func fail(_ found: String, advice: String? = nil) -> Finding {
        Finding(check: check, state: .fail, found: found, advice: advice)
    }
}
