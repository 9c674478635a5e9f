import Contract
import Domain

extension BookingStore {
    /// Runs `change` in one transaction and gives the bytes of its answer; the first answer again,
    /// changing nothing, when the request's idempotency key was used for the same before.
    ///
    /// The answer is kept in the transaction of the change: both are there or none. A refusal is not
    /// kept.
    func once(
        _ request: ServerRequest,
        _ change: (borrowing Database) throws -> Appointment
    ) throws -> [UInt8] {
        try database.transaction { database in
            if let answer = try Self.earlierAnswer(to: request, in: database) { return answer }
            let answer = AppointmentCodec.encode(try change(database))
            try Self.keep(answer, to: request, in: database)
            return answer
        }
    }

    private static func earlierAnswer(
        to request: ServerRequest,
        in database: borrowing Database
    ) throws -> [UInt8]? {
        guard let key = request.idempotencyKey else { return nil }
        let rows = try database.query(
            "SELECT response, method, path, body FROM idempotency WHERE key = ?",
            [.text(key)]
        )
        guard let row = rows.first else { return nil }
        let same = [.text(request.method), .text(request.path), .blob(request.body)] == row[1...]
        guard same, let answer = row[0].blob else {
            throw Problem(422, "idempotencyConflict", "the key was used for another request")
        }
        return answer
    }

    private static func keep(
        _ answer: [UInt8],
        to request: ServerRequest,
        in database: borrowing Database
    ) throws {
        guard let key = request.idempotencyKey else { return }
        _ = try database.query(
            "INSERT INTO idempotency (key, response, method, path, body) VALUES (?, ?, ?, ?, ?)",
            [
                .text(key), .blob(answer), .text(request.method), .text(request.path),
                .blob(request.body),
            ]
        )
    }
}
