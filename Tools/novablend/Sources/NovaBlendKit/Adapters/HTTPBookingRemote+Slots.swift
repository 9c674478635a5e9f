import Contract
import Domain
import JSON
import Networking

extension HTTPBookingRemote: SlotSource {
    func slots(
        of id: SalonID,
        from: AppointmentTime,
        to: AppointmentTime
    ) async throws(RemoteError) -> OfferedSlots {
        guard let template = endpoints.availability else { return .notOffered }
        let url =
            template.replacing("{id}", with: id.description)
            + "?from=\(Self.escaped(from))&to=\(Self.escaped(to))"
        let response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await reader.send(
                HTTPRequest(.get, url, headers: ["Accept": "application/json"])
            )
        } catch {
            throw RemoteError(error, ifTooLarge: AnswerBounds.remedy)
        }
        return try Self.read(response)
    }

    private static func escaped(_ time: AppointmentTime) -> String {
        ISO8601.format(time).replacing("+", with: "%2B")
    }

    private static func read(_ response: HTTPResponse) throws(RemoteError) -> OfferedSlots {
        if [404, 405].contains(response.status) {
            return RefusalBody(response).name == "salonNotFound" ? .salonNotFound : .notOffered
        }
        guard response.status == 200 else { throw RemoteError(unexpected: response) }
        do throws(JSONError) {
            return .slots(try SlotListCodec.decode(response.body))
        } catch {
            throw .invalidData(reason: "the availability breaks the contract: \(error)")
        }
    }
}
