import Contract
import Domain
import JSON
package import Networking

extension HTTPResponse {
    /// Whether the response is an error of the contract, which only the server can have sent.
    package var isContractError: Bool { ErrorBody(self).isContractError }
}

/// The content of an error response: `{"error": name, "message": ..., "rule": ...,
/// "limit": ..., "alternatives": [...], "appointment": {...}}`. Every member is optional, and other
/// forms of messages are understood, too (see `ReportedError`).
struct ErrorBody {
    let error: ReportedError
    private let status: Int
    /// What the body is, as far as it shows who sent it.
    private let form: Form
    var rule: String?
    /// The number that the request would exceed.
    var limit: Int?
    var alternatives: [AppointmentTime] = []
    /// The current state of the appointment that the error is about.
    var report: ReportedAppointment?

    private enum Form {
        /// An error of the contract, with `error` and `message`.
        case contract(ErrorKind)
        /// A JSON object that states an error in another form.
        case object
        /// Anything else, such as a web page or nothing.
        case other
    }

    /// The error of the contract that the body names, whatever its status and other members.
    var kind: ErrorKind? { error.name.flatMap(ErrorKind.init) }

    /// Whether the body is an error of the contract, with the status that the contract gives it. Only
    /// a server that implements the contract sends one.
    var isContractError: Bool {
        if case .contract(let kind) = form { kind.status == status } else { false }
    }

    /// Whether the response proves that the server rejected the request: nothing between here and the
    /// server can have made it from the response to a request that was carried out. Proxies and their
    /// filters send JSON, too, but not with statuses that only a server can decide on.
    var isFinalRejection: Bool {
        if isContractError { return true }
        if case .other = form { return false }
        return [400, 404, 409, 410, 422].contains(status)
    }

    /// Whether the server may not have such a resource or method. A 410 without a name may be that, too.
    var isUnsupported: Bool {
        [404, 405, 501].contains(status) || status == 410 && error.name == nil
    }

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
            form = .other
            return
        }
        error = ReportedError(root)
        guard let object = try? root.object() else {
            form = .other
            return
        }
        form = Self.form(of: object, error)
        rule = try? object.optional("rule")?.string()
        limit = try? object.optional("limit")?.integer()
        if let times = try? object.optional("alternatives")?.array() {
            alternatives = times.compactMap { try? AppointmentTimeCodec.read($0) }
        }
        report = object["appointment"].flatMap { try? ReportedAppointmentCodec.read($0) }
    }

    private static func form(of object: JSONObject, _ error: ReportedError) -> Form {
        if let kind = error.name.flatMap(ErrorKind.init),
            (try? object.required("message").string()) != nil
        {
            return .contract(kind)
        }
        return error.words == nil ? .other : .object
    }
}
