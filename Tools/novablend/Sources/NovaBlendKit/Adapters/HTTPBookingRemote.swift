import Contract
import Domain
import JSON
import Networking

/// Bookings over HTTP (seed 000, story 2).
struct HTTPBookingRemote: BookingRemote {
    let endpoints: Configuration.Endpoints
    /// What sends bookings. It must not send again by itself: the use case says when that is right.
    let sender: any HTTPClient
    let reader: any HTTPClient

    func appointments() async throws(RemoteError) -> [Appointment] {
        try await HTTPResource<AppointmentListCodec>(url: endpoints.appointments, client: reader)
            .load()
    }

    func availability(for request: BookingRequest) async throws(RemoteError) -> SlotAvailability {
        guard let template = endpoints.availability else { return .notOffered }
        let day = request.time.advanced(byMinutes: 1_440)
        let url =
            template.replacing("{id}", with: request.salonID.description)
            + "?from=\(Self.escaped(request.time))&to=\(Self.escaped(day))"
        let response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await reader.send(
                HTTPRequest(.get, url, headers: ["Accept": "application/json"])
            )
        } catch {
            throw RemoteError(error)
        }
        return try Self.read(response, for: request)
    }

    func book(
        _ request: BookingRequest,
        key: String
    ) async throws(BookingRemoteError) -> Appointment {
        guard let url = endpoints.appointments else { throw .notConfigured }
        let response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await sender.send(
                HTTPRequest(
                    .post,
                    url,
                    headers: [
                        "Content-Type": "application/json", "Accept": "application/json",
                        "Idempotency-Key": key,
                    ],
                    body: BookingRequestCodec.encode(request)
                )
            )
        } catch {
            if error.mayHaveBeenSent { throw .unanswered(reason: error.description) }
            throw .notSent(reason: error.description)
        }
        guard response.status == 200 || response.status == 201 else {
            throw BookingRemoteError(refusal: response)
        }
        do throws(JSONError) {
            return try AppointmentCodec.decode(response.body)
        } catch {
            // The status says booked: an echo that cannot be read does not undo that.
            throw .unanswered(reason: "the echo breaks the contract: \(error)")
        }
    }

    private static func escaped(_ time: AppointmentTime) -> String {
        ISO8601.format(time).replacing("+", with: "%2B")
    }

    private static func read(
        _ response: HTTPResponse,
        for request: BookingRequest
    ) throws(RemoteError) -> SlotAvailability {
        if [404, 405].contains(response.status) {
            return RefusalBody(response).name == "salonNotFound" ? .salonNotFound : .notOffered
        }
        guard response.status == 200 else { throw RemoteError(unexpected: response) }
        let slots: [Slot]
        do throws(JSONError) {
            slots = try SlotListCodec.decode(response.body)
        } catch {
            throw .invalidData(reason: "the availability breaks the contract: \(error)")
        }
        let asked = slots.first { $0.start.instant == request.time.instant }
        // A time that begins no slot is for the booking itself to decide.
        guard let asked else { return .notOffered }
        if asked.isAvailable { return .available }
        return .taken(alternatives: slots.filter(\.isAvailable).prefix(3).map(\.start))
    }
}
