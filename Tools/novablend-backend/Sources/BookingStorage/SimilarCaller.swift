/// A customer whose phone number may be a different form of another one.
public struct SimilarCaller: Sendable, Hashable {
    /// The minimum number of digits that both numbers must share at their ends.
    package static let minimumDigits = 6

    /// The phone number, as in ``BookingRequest/caller``.
    public var caller: String
    /// The number of appointments of the customer.
    public var appointments: Int

    /// Creates a customer.
    public init(caller: String, appointments: Int) {
        self.caller = caller
        self.appointments = appointments
    }
}
