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
            .load().value
    }

    func availability(for request: BookingRequest) async throws(RemoteError) -> SlotAvailability {
        let day = request.time.advanced(byMinutes: 1_440)
        switch try await slots(of: request.salonID, from: request.time, to: day) {
        case .notOffered: return .notOffered
        case .salonNotFound: return .salonNotFound
        case .slots(let slots):
            let asked = slots.first { $0.start.instant == request.time.instant }
            // A time that begins no slot is for the booking itself to decide.
            guard let asked else { return .notOffered }
            if asked.isAvailable { return .available }
            return .taken(alternatives: slots.filter(\.isAvailable).prefix(3).map(\.start))
        }
    }

    func book(
        _ booking: BookingRequest,
        key: String
    ) async throws(BookingRemoteError) -> Appointment {
        guard let url = endpoints.appointments else { throw .notConfigured }
        var request = HTTPRequest(.post, url, body: BookingRequestCodec.encode(booking))
        request.headers["Content-Type"] = "application/json"
        let response = try await send(request, key: key)
        guard response.status == 200 || response.status == 201 else {
            throw BookingRemoteError(refusal: response)
        }
        return try Self.echo(in: response)
    }

    func send(
        _ request: HTTPRequest,
        key: String
    ) async throws(BookingRemoteError) -> HTTPResponse {
        var request = request
        request.headers["Accept"] = "application/json"
        request.headers["Idempotency-Key"] = key
        do throws(HTTPClientError) {
            return try await sender.send(request)
        } catch {
            if error.mayHaveBeenSent { throw .unanswered(reason: error.description) }
            throw .notSent(reason: error.description)
        }
    }

    static func echo(in response: HTTPResponse) throws(BookingRemoteError) -> Appointment {
        do throws(JSONError) {
            return try AppointmentCodec.decode(response.body)
        } catch {
            // The status says that it is done: an echo that cannot be read does not undo that.
            throw .unanswered(reason: "the echo breaks the contract: \(error)")
        }
    }
}
