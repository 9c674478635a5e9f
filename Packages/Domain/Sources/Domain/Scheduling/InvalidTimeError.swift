/// Why a requested time does not name exactly one instant.
public struct InvalidTimeError: Error, Sendable, Hashable {
    /// The reason, worded so that it forms a sentence after the name of the field.
    public var reason: String
    /// The times that the caller may have intended.
    public var candidates: [AppointmentTime]

    /// Creates an error.
    public init(reason: String, candidates: [AppointmentTime] = []) {
        self.reason = reason
        self.candidates = candidates
    }
}
