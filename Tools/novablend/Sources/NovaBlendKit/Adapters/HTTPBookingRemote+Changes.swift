import Contract
import Domain
import JSON
import Networking

extension HTTPBookingRemote {
    func change(
        _ change: AppointmentChange,
        key: String
    ) async throws(BookingRemoteError) -> Appointment? {
        guard let list = endpoints.appointments else { throw .notConfigured }
        guard let url = Self.url(of: change.id, in: list) else {
            throw .notOffered(reason: "the appointment's id is none that a URL can have")
        }
        var request = HTTPRequest(.delete, url)
        if case .reschedule(let time) = change.kind {
            request = HTTPRequest(.patch, url, body: Self.body(time))
            request.headers["Content-Type"] = "application/json"
        }
        request.headers["If-Match"] = "\"\(change.version)\""
        let response = try await send(request, key: key)
        guard [200, 204].contains(response.status) else {
            throw BookingRemoteError(refusal: response, of: change)
        }
        return response.body.isEmpty ? nil : try Self.echo(in: response)
    }

    /// The address of one appointment: below that of the list, and before its query.
    static func url(of id: String, in list: String) -> String? {
        guard !["", ".", ".."].contains(id) else { return nil }
        let end = list.firstIndex { $0 == "?" || $0 == "#" } ?? list.endIndex
        var path = list[..<end]
        while path.hasSuffix("/") { path.removeLast() }
        return "\(path)/\(id.percentEncoded)\(list[end...].prefix { $0 != "#" })"
    }

    private static func body(_ time: AppointmentTime) -> [UInt8] {
        JSONFragment { writer in
            writer.object { writer in
                writer.key("appointmentTime")
                AppointmentTimeCodec.write(time, to: &writer)
            }
        }.bytes
    }
}
