/// A request for the slots of a salon that start within a range.
public struct SlotRequest: Sendable, Hashable {
    /// The salon.
    public var salonID: SalonID
    /// The start of the range.
    public var start: AppointmentTime
    /// The exclusive end of the range.
    public var end: AppointmentTime
    /// What the customer chooses.
    public var options: BookingOptions
    /// The id of an appointment to move, whose own time counts as free; nil for none. A server may
    /// ignore it.
    public var movedID: String?
    /// Whether each slot should state which staff members are free.
    public var isExplained: Bool
    /// How many available slots are enough; the result may lack later ones. Nil for all slots.
    public var enough: Int?

    /// Creates a request.
    public init(
        salonID: SalonID,
        start: AppointmentTime,
        end: AppointmentTime,
        options: BookingOptions = BookingOptions(),
        movedID: String? = nil,
        isExplained: Bool = false,
        enough: Int? = nil
    ) {
        self.salonID = salonID
        self.start = start
        self.end = end
        self.options = options
        self.movedID = movedID
        self.isExplained = isExplained
        self.enough = enough
    }
}
