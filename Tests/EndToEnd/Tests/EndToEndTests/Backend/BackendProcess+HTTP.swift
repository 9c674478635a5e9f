import Foundation
import JSON
import SystemTestSupport
import Testing

extension BackendProcess {
    /// Sends a request on a new connection, and returns the response.
    func response(to request: HTTPRequest) async throws -> ReceivedResponse {
        let port = port.number
        let response = await onThread { () -> ReceivedResponse? in
            guard let connection = try? TCPConnection(port: port) else { return nil }
            connection.send(request.text)
            return connection.response()
        }
        let line = request.text.prefix { $0 != "\r\n" }
        return try #require(response, "no response to \(line): \(child.standardError())")
    }

    func get(_ path: String) async throws -> ReceivedResponse { try await response(to: .get(path)) }

    /// The appointments on all pages of `/appointments`.
    func appointments() async throws -> [ListedAppointment] {
        try await listedAppointments { try ListedAppointment($0) }
    }

    /// What `read` makes of each appointment on all pages of `/appointments`. Nil is left out.
    func listedAppointments<T>(_ read: (JSONObject) throws -> T?) async throws -> [T] {
        var appointments: [T] = []
        var next: String? = "/appointments"
        while let path = next {
            let page = try await get(path)
            try #require(page.status == 200, "\(path): \(page.text)")
            for listed in try page.object().required("appointments").array() {
                if let appointment = try read(listed.object()) { appointments.append(appointment) }
            }
            next = nextPage(page.field("Link") ?? "", after: path)
        }
        return appointments
    }

    /// The path and query of the next page in a Link field (RFC 8288).
    private func nextPage(_ link: String, after path: String) -> String? {
        guard link.contains(#"rel="next""#), let start = link.firstIndex(of: "<"),
            let end = link.firstIndex(of: ">"),
            let target = URL(
                string: String(link[link.index(after: start)..<end]),
                relativeTo: URL(string: url + path)
            )
        else { return nil }
        return String(target.absoluteString.dropFirst(url.count))
    }

    /// Terminates the backend, and expects that it exits with 0.
    func stop() async {
        child.terminate()
        let code = await child.exitCode()
        #expect(code == 0, "\(child.standardError())")
    }
}

/// The members of an appointment that these tests compare.
struct ListedAppointment: Sendable {
    let id: String
    let phone: String

    init(_ object: JSONObject) throws {
        id = try object.required("id").string()
        phone = try object.required("phone").string()
    }
}
