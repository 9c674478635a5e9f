import WebPrimitives

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
