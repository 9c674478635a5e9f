public import CivilTime

/// An event of a calendar: a `VEVENT` component (RFC 5545, section 3.6.1) with a start.
public struct CalendarEvent: Sendable, Hashable {
    /// Whether the event takes place (section 3.8.1.11).
    public enum Status: String, Sendable, CaseIterable {
        /// The event may take place.
        case tentative = "TENTATIVE"
        /// The event takes place.
        case confirmed = "CONFIRMED"
        /// The event does not take place.
        case cancelled = "CANCELLED"
    }

    /// The globally unique identifier of the event. All versions of an event have the same one.
    public var uid: String
    /// When this information about the event was current (`DTSTAMP`).
    public var stamp: Timestamp
    /// The start of the event.
    public var start: Timestamp
    /// The end of the event, which must be after the start. It is exclusive. Nil if it is not known; then
    /// calendar programs show only the start.
    public var end: Timestamp?
    /// The title of the event.
    public var summary: String
    /// The location; nil to omit it.
    public var location: String?
    /// The description, which may have several lines; nil to omit it.
    public var description: String?
    /// Whether the event takes place.
    public var status: Status
    /// The number of changes of the event, 0 to 2,147,483,647; other numbers are clamped.
    public var sequence: Int
    /// How many minutes before the start calendar programs remind of the event, 0 to 525,600; other
    /// numbers are clamped. Nil for no reminder.
    public var reminderMinutes: Int?

    /// Creates an event. Text may contain any character: the writer escapes special characters and
    /// removes control characters.
    public init(
        uid: String,
        stamp: Timestamp,
        start: Timestamp,
        end: Timestamp?,
        summary: String,
        location: String? = nil,
        description: String? = nil,
        status: Status = .confirmed,
        sequence: Int = 0,
        reminderMinutes: Int? = nil
    ) {
        self.uid = uid
        self.stamp = stamp
        self.start = start
        self.end = end
        self.summary = summary
        self.location = location
        self.description = description
        self.status = status
        self.sequence = sequence
        self.reminderMinutes = reminderMinutes
    }
}
