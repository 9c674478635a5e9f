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
    /// - Throws: `keyVoided` if the key was voided, and `idempotencyConflict` if a different request has it.
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
