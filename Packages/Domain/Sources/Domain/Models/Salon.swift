/// A salon that takes appointments (seed 000, first model).
public struct Salon: Sendable, Hashable {
    /// Who it is.
    public var id: SalonID
    /// What it is called.
    public var name: String
    /// Where it is, as the salon words it.
    public var location: String
    /// How to call it, where it can be called.
    public var phone: String?
    /// When it is open.
    public var hours: OpeningHours
    /// The length of one appointment in minutes.
    public var slotMinutes: Int

    /// The slot length of a salon that names none.
    public static let defaultSlotMinutes = 30

    /// Makes a salon.
    public init(
        id: SalonID,
        name: String,
        location: String,
        phone: String? = nil,
        hours: OpeningHours,
        slotMinutes: Int = Salon.defaultSlotMinutes
    ) {
        self.id = id
        self.name = name
        self.location = location
        self.phone = phone
        self.hours = hours
        self.slotMinutes = slotMinutes
    }
}
