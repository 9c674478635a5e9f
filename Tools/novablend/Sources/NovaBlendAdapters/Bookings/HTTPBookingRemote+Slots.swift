import Contract
package import Domain
import JSON
import Networking
import NovaBlendAccounts

extension HTTPBookingRemote: SlotSource {
    package func slots(
        of id: SalonID,
        from: AppointmentTime,
        to: AppointmentTime
    ) async throws(RemoteError) -> OfferedSlots {
        guard let template = endpoints.availability else { return .notOffered }
        let url = EndpointURL(template.replacing("{id}", with: id.description)).adding([
            ("from", ISO8601.format(from)), ("to", ISO8601.format(to)),
        ])
        var request = HTTPRequest(.get, url.text, headers: ["Accept": "application/json"])
        request.headers["Cache-Control"] = "no-cache"
        request.coalescing = .allowed(generation: counter.value)
        let response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await reader.send(request)
        } catch {
            throw RemoteError(error, ifTooLarge: ListSizeLimit.remedy)
        }
        return try Self.read(response)
    }

    private static func read(_ response: HTTPResponse) throws(RemoteError) -> OfferedSlots {
        if [404, 405].contains(response.status) {
            return ErrorBody(response).name == "salonNotFound" ? .salonNotFound : .notOffered
        }
        guard response.status == 200 else { throw RemoteError(unexpected: response) }
        do throws(JSONError) {
            return .slots(try SlotListCodec.decode(response.body))
        } catch {
            throw RemoteError(unreadable: response, because: error)
        }
    }
}
