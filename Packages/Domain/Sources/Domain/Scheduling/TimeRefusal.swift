/// Why a time that was asked for names no instant for certain.
public struct TimeRefusal: Error, Sendable, Hashable {
    /// What is wrong with it, to follow on its name.
    public var reason: String
    /// The times that may be meant.
    public var candidates: [AppointmentTime]

    /// Makes a refusal.
    public init(reason: String, candidates: [AppointmentTime] = []) {
        self.reason = reason
        self.candidates = candidates
    }
}
