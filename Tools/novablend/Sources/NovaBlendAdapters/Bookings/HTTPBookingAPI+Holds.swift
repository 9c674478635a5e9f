import Contract
package import Domain
import JSON
import Networking
import NovaBlendAccounts
import WebPrimitives

/// Holds times with `POST /holds`, and releases them with `DELETE /holds/{id}`.
extension HTTPBookingAPI: HoldAPI {
    package func hold(
        _ booking: BookingRequest,
        minutes: Int?,
        key: String
    ) async throws(AttemptError) -> GrantedHold {
        guard let url = endpoints.holds else { throw .unsupported(reason: Self.noHolds) }
        var request = HTTPRequest(method: .post, url: url, body: Self.body(booking, minutes))
        request.headers["Content-Type"] = "application/json"
        let response = try await send(request, key: key)
        guard response.status == 200 || response.status == 201 else {
            throw AttemptError(aboutHold: response)
        }
        if response.isWebPage {
            throw .noResponse(reason: "the network returned a web page instead of a confirmation")
        }
        do {
            return GrantedHold(try HoldCodec.decode(response.body), serverTime: response.serverTime)
        } catch {
            let reason = "the server's confirmation cannot be read: \(error)"
            throw .accepted(reason: reason)
        }
    }

    package func release(_ id: String) async throws(AttemptError) {
        guard let list = endpoints.holds else { throw .unsupported(reason: Self.noHolds) }
        guard let url = Self.url(of: id, in: list) else {
            throw .notFound(reason: "no hold can have this id")
        }
        let response = try await send(HTTPRequest(method: .delete, url: url), key: nil)
        let hasEnded = response.status == 410 && ErrorBody(response).kind == .holdNotFound
        if response.status != 204, !hasEnded { throw AttemptError(aboutHold: response) }
    }

    private static let noHolds = "no URL for holds is configured"

    private static func body(_ booking: BookingRequest, _ minutes: Int?) -> [UInt8] {
        let booking = JSONFragment { BookingRequestCodec.write(booking, to: &$0) }
        guard let minutes else { return booking.bytes }
        return booking.addingMember("minutes", JSONFragment { $0.integer(minutes) }).bytes
    }
}

extension HTTPResponse {
    /// The time of the response by the server's clock; nil if it sent no valid `Date`.
    fileprivate var serverTime: Timestamp? {
        headers["Date"].flatMap { HTTPDate($0, now: SystemRetryClock().date) }
            .map { Timestamp(secondsSince1970: Int64($0.secondsSince1970)) }
    }
}
