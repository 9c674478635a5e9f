/// Why a requested time does not name exactly one instant.
public struct InvalidTimeError: Error, Sendable, Hashable {
    /// What is wrong, as a predicate whose subject is the name of the time's field.
    public var reason: String
    /// The times that the caller may have meant.
    public var candidates: [AppointmentTime]

    /// Makes an error.
    public init(reason: String, candidates: [AppointmentTime] = []) {
        self.reason = reason
        self.candidates = candidates
    }
}
