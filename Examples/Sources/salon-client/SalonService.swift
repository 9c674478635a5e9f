import JSON
import JSONRPC

/// The methods of `novablend serve` that this program uses. docs/Methods.md describes all of them.
struct SalonService {
    struct Salon: Decodable {
        let id, name, location: String
    }

    struct Appointment: Decodable {
        let id, appointmentTime: String
    }

    /// A repeated booking with the same key books only once, so a program that stores the key can
    /// stop and continue at any time.
    struct Booking: Encodable {
        let salonId, appointmentTime, phone, idempotencyKey: String
    }

    /// The members that an error may have. `name` says what happened, and `retryable` whether the
    /// same call may succeed later.
    struct ErrorDetails: Decodable {
        let name: String
        let retryable: Bool
        let alternatives: [String]?

        init?(_ error: RPCError) {
            guard let data = error.data, let document = try? JSONDocument(parsing: data.bytes),
                let details = try? document.root.decode(ErrorDetails.self)
            else { return nil }
            self = details
        }
    }

    let peer: Peer

    func salons() async throws(RPCError) -> [Salon] {
        struct Result: Decodable { let salons: [Salon] }
        return try await call("salons/list", [String: String](), as: Result.self).salons
    }

    /// The free times of a day, in the form that ``book(_:)`` accepts.
    func freeTimes(ofSalon id: String, on date: String) async throws(RPCError) -> [String] {
        struct Day: Decodable { let free: [String]? }
        struct Result: Decodable {
            let offset: String
            let days: [Day]
        }
        let params = ["salonId": id, "start": date, "end": date]
        let result = try await call("salons/availability", params, as: Result.self)
        return result.days.flatMap { $0.free ?? [] }.map { "\(date)T\($0)\(result.offset)" }
    }

    func book(_ booking: Booking) async throws(RPCError) -> Appointment {
        struct Result: Decodable { let appointment: Appointment }
        return try await call("appointments/book", booking, as: Result.self).appointment
    }

    func appointments() async throws(RPCError) -> [Appointment] {
        struct Result: Decodable { let appointments: [Appointment] }
        return try await call("appointments/list", [String: String](), as: Result.self).appointments
    }

    private func call<Result: Decodable>(
        _ method: String,
        _ params: some Encodable,
        as type: Result.Type
    ) async throws(RPCError) -> Result {
        try await peer.call(method, params, timeout: .seconds(30))
    }
}
