import Contract
package import Domain
import WebPrimitives

/// An idempotency key. Keys of different callers are independent, and so are keys of different
/// salons.
public struct IdempotencyKey: Sendable, Hashable {
    /// The text that the client sent.
    public var text: String
    /// Who sent the key, as in ``Principal/identity``.
    public var caller: String

    /// How long a key is retained after its first use: 60 days, in seconds.
    public static let retentionSeconds: Int64 = 60 * 86_400

    /// Creates a key.
    public init(_ text: String, caller: String = "") {
        self.text = text
        self.caller = caller
    }
}

/// A request with an idempotency key. The key can be used again only for an equal request.
public struct KeyedRequest: Sendable, Hashable {
    /// The key.
    public var key: IdempotencyKey
    /// The HTTP method.
    public var method: String
    /// The path, percent-decoded.
    public var path: String
    /// The 64-bit FNV-1a hash of the body. It detects that a client reuses a key by mistake. It does
    /// not resist deliberate collisions, which only a client's own requests could have.
    public var bodyFingerprint: UInt64

    /// Creates a request.
    public init(key: IdempotencyKey, method: String, path: String, body: [UInt8]) {
        self.key = key
        self.method = method
        self.path = path
        bodyFingerprint = FNV1a.hash(body)
    }

    /// The id of the appointment that the request has changed; nil if the request has booked it,
    /// because the appointment itself then has the key.
    package func changedAppointment(_ result: StoredAppointment) -> String? {
        result.idempotencyKey == key.text ? nil : result.id
    }
}

/// What a store knows about an idempotency key in a salon.
package enum KeyState {
    case unused, voided
    /// The key was used, but the appointment of its result has been deleted since.
    case resultDeleted
    /// The key was used. The result is nil if its stored JSON is invalid.
    case used(method: String, path: String, bodyFingerprint: UInt64, StoredAppointment?)

    /// The result of `request`, which has this key, if it was made before; nil if the key is unused.
    /// Throws if the key was voided or used for a different request.
    package func earlierResult(
        of request: KeyedRequest
    ) throws(Problem) -> StoredAppointment? {
        switch self {
        case .unused: return nil
        case .voided: throw .keyVoided
        case .resultDeleted: throw .appointmentDeleted
        case .used(let method, let path, let bodyFingerprint, let result):
            guard method == request.method, path == request.path,
                bodyFingerprint == request.bodyFingerprint
            else { throw .idempotencyConflict }
            return try Self.valid(result)
        }
    }

    /// The active hold that `request` has made; nil if it has made none.
    ///
    /// - Parameter active: The active hold with the key of the request.
    /// - Throws: `keyVoided` if the key was voided, and `idempotencyConflict` if a different request
    ///   has it.
    package func earlierHold(
        of request: KeyedRequest,
        active: KeyedHold?
    ) throws(Problem) -> StoredHold? {
        switch self {
        case .unused: break
        case .voided: throw .keyVoided
        // A request for a hold does not store its key as used, so a different request has used this
        // key.
        case .used, .resultDeleted: throw .idempotencyConflict
        }
        guard let active else { return nil }
        guard active.bodyFingerprint == request.bodyFingerprint else { throw .idempotencyConflict }
        return active.hold
    }

    /// Throws `keyUsed` if the key was used.
    package func checkVoidable() throws(Problem) {
        switch self {
        case .unused, .voided: return
        case .resultDeleted: throw .keyUsed(nil)
        case .used(_, _, _, let result): throw .keyUsed(try Self.valid(result))
        }
    }

    private static func valid(
        _ result: StoredAppointment?
    ) throws(Problem) -> StoredAppointment {
        if let result { return result }
        let reason = "the stored result of a request is invalid"
        throw .unavailable(StorageFailure(.corrupted, reason))
    }
}

extension KeyState: StoredRow {
    /// The columns that ``init(row:)`` reads.
    package static let columns = "method, path, body_fingerprint, result"
    /// The columns in the order of ``KeyedRequest/values(of:now:)``.
    package static let insertedColumns =
        "key, caller, salon_id, created_at, \(columns), appointment_id"

    /// Reads a key. A voided key has no result, and the result is empty if its appointment was
    /// deleted.
    package init(row: some ColumnReader) {
        if row.isNull(3) {
            self = .voided
            return
        }
        let result = row.text(3)
        if result.isEmpty {
            self = .resultDeleted
            return
        }
        self = .used(
            method: row.text(0),
            path: row.text(1),
            bodyFingerprint: UInt64(bitPattern: row.integer(2)),
            try? StoredAppointmentCodec.decode(Array(result.utf8))
        )
    }
}

extension KeyedRequest {
    /// The values of a row for the request and its result.
    package func values(of result: StoredAppointment, now: Timestamp) -> [any SQLParameter] {
        let json = String(decoding: StoredAppointmentCodec.encode(result), as: UTF8.self)
        return [
            key.text, key.caller, result.booking.salonID, now, method, path, storedFingerprint,
            json,
            changedAppointment(result),
        ]
    }

    /// The fingerprint of the body, as a number that a database can store.
    var storedFingerprint: Int64 { Int64(bitPattern: bodyFingerprint) }
}
