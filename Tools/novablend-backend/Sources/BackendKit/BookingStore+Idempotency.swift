import Domain
import HTTPServing
import JSON

extension BookingStore {
    /// Runs `change` in one transaction and returns the body of the response. If the same request
    /// was made before with the same idempotency key, returns the original body and changes
    /// nothing.
    ///
    /// The change and its response are stored in the same transaction. Errors are not stored.
    func performOnce(
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
                        "the key was used for a different request"
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

    /// Voids a key: later requests with it change nothing. A key that was already used is not
    /// voided; the error contains the appointment from the response to its request.
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
