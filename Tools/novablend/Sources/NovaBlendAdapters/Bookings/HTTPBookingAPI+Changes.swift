import Contract
package import Domain
import JSON
import Networking
import NovaBlendAccounts
import WebPrimitives

extension HTTPBookingAPI {
    package func change(
        _ change: AppointmentChange,
        key: String
    ) async throws(AttemptError) -> ReportedAppointment {
        guard let list = endpoints.appointments else { throw .notConfigured }
        guard let url = Self.url(of: change.id, in: list) else {
            throw .unsupported(reason: "the appointment's id cannot be part of a URL")
        }
        var request = HTTPRequest(method: .delete, url: url)
        if case .reschedule(let time, let options) = change.kind {
            request = HTTPRequest(method: .patch, url: url, body: Self.body(time, options))
            request.headers["Content-Type"] = "application/json"
        }
        request.headers["If-Match"] = "\"\(change.version)\""
        let response = try await send(request, key: key)
        guard response.status == 200 || response.status == 201 else {
            throw AttemptError(response, to: change)
        }
        return try Self.echo(in: response)
    }

    /// The URL of an element below the list; nil if the id cannot be a path segment.
    package static func url(of id: String, in list: String) -> String? {
        guard !["", ".", ".."].contains(id) else { return nil }
        return EndpointURL(list).appending(path: id.percentEncoded).text
    }

    private static func body(_ time: AppointmentTime, _ options: OptionsChange) -> [UInt8] {
        JSONFragment.object { writer in
            writer.member("appointmentTime", time, as: AppointmentTimeCodec.self)
            OptionsChangeCodec.writeMembers(of: options, to: &writer)
        }.bytes
    }
}
