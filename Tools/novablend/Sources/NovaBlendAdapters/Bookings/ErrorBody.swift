import Contract
import Domain
import JSON
import Networking

/// The content of an error response: `{"error": name, "message": ..., "rule": ...,
/// "alternatives": [...], "appointment": {...}}`. Every member is optional, and other forms of
/// messages are understood, too (see `ReportedError`).
struct ErrorBody {
    let error: ReportedError
    private let status: Int
    var rule: String?
    var alternatives: [AppointmentTime] = []
    /// The current state of the appointment that the error is about.
    var report: ReportedAppointment?

    var name: String? { error.name }

    /// What to tell the user: what the server says, or at least its status.
    var reason: String { error.words ?? "the server responded with status \(status)" }

    /// Why an operation is not supported: the status, and what the server says.
    var unsupportedReason: String { adding(to: "it responded with status \(status)") }

    /// `statement`, and after it what the server says.
    func adding(to statement: String) -> String {
        [statement, error.words].compactMap(\.self).joined(separator: ": ")
    }

    init(_ response: HTTPResponse) {
        status = response.status
        guard let root = try? JSONDocument(parsing: response.body).root else {
            let type = response.headers["Content-Type"]?.lowercased() ?? "text/plain"
            let isText = type.hasPrefix("text/") && !response.isWebPage
            error = ReportedError(response.body, isText: isText)
            return
        }
        error = ReportedError(root)
        guard let object = try? root.object() else { return }
        rule = try? object.optional("rule")?.string()
        if let times = try? object.optional("alternatives")?.array() {
            alternatives = times.compactMap { try? AppointmentTimeCodec.read($0) }
        }
        report = object["appointment"].flatMap { try? ReportedAppointmentCodec.read($0) }
    }
}
