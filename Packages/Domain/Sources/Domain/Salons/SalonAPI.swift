/// The port to the server that stores salons.
public protocol SalonAPI: Sendable {
    /// Requests the salon `id`. The response must not come from a cache between the client and the
    /// server.
    func salon(_ id: SalonID) async throws(Failure) -> StoredSalonLookup

    /// Sends `salon` exactly once. It replaces `current` if that is still the stored version; if
    /// `current` is nil, the server creates the salon unless it exists. Returns the salon in a 200
    /// or 201 response.
    ///
    /// `keepsWallClock` asks the server to move the future appointments so that they keep their local
    /// times. A server may ignore that.
    func put(
        _ salon: Salon,
        replacing current: StoredSalon?,
        keepsWallClock: Bool
    ) async throws(AttemptError) -> ConfirmedSalon

    /// Requests exactly once that `current` is deleted if it is still the stored version.
    func delete(_ current: StoredSalon) async throws(AttemptError)
}

/// A salon in the response to a put.
public struct ConfirmedSalon: Sendable, Hashable {
    /// The salon.
    public var salon: Salon
    /// How many appointments the server has moved; nil if it does not say.
    public var moved: Int?

    /// Creates a confirmation.
    public init(_ salon: Salon, moved: Int? = nil) {
        self.salon = salon
        self.moved = moved
    }
}

/// A salon as its server stores it.
public struct StoredSalon: Sendable, Hashable {
    /// The salon.
    public var salon: Salon
    /// The strong entity tag of this version, with its quotes (RFC 9110, section 8.8.3); nil if the
    /// server states neither a tag nor a version.
    public var entityTag: String?
    /// The server's JSON. Members that this program does not know are sent back unchanged when the
    /// salon is replaced.
    public var json: [UInt8]

    /// Creates a stored salon.
    public init(_ salon: Salon, entityTag: String?, json: [UInt8] = []) {
        self.salon = salon
        self.entityTag = entityTag
        self.json = json
    }

    /// Whether this is the version with the number `version`.
    func hasVersion(_ version: Int) -> Bool {
        if let known = salon.version { return known == version }
        return entityTag == "\"\(version)\""
    }
}

/// The result of requesting a stored salon.
public enum StoredSalonLookup: Sendable, Hashable {
    /// The server returned the salon.
    case stored(StoredSalon)
    /// The server has no such salon.
    case absent
    /// The server has no such salon, or does not serve salons individually (404 without a reason).
    case absentOrUnsupported
    /// The server does not serve salons individually.
    case unsupported
}
