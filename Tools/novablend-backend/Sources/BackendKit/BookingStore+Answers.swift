import Domain
import JSON

extension BookingStore {
    /// Runs `change` in one transaction and gives the bytes of its answer; the first answer again,
    /// changing nothing, when the request's idempotency key was used for the same before.
    ///
    /// The answer is stored in the transaction of the change: both are there or none. A rejection is
    /// not stored.
    func once(
        _ request: ServerRequest,
        _ change: (borrowing Database) throws -> Entry
    ) throws -> [UInt8] {
        try database.transaction { database in
            guard let key = request.idempotencyKey else {
                return try change(database).encoded.bytes
            }
            switch try Self.record(of: key, in: database) {
            case .used(let used, let response):
                guard used == Self.values(of: request) else {
                    throw Problem(
                        422,
                        "idempotencyConflict",
                        "the key was used for another request"
                    )
                }
                return response
            case .voided: throw Problem(410, "keyVoided", "the key was voided; use a new one")
            case .unused:
                let response = try change(database).encoded.bytes
                try store(key, request, response: response, in: database)
                return response
            }
        }
    }

    /// Voids a key, so that no later request with it books or changes anything; a key that already
    /// did is refused, with the appointment as that request was answered.
    func void(_ key: String) throws {
        try database.transaction { database in
            switch try Self.record(of: key, in: database) {
            case .unused: try store(key, in: database)
            case .voided: break
            case .used(_, let response):
                var problem = Problem(
                    409,
                    "keyUsed",
                    "the key has booked or changed an appointment"
                )
                problem.appointment = JSONFragment(trusted: response)
                throw problem
            }
        }
    }
}
