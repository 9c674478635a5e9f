public import CivilTime

/// An event of a calendar: a `VEVENT` component (RFC 5545, section 3.6.1) with a start and an end.
public struct CalendarEvent: Sendable, Hashable {
    /// Whether the event takes place (section 3.8.1.11).
    public enum Status: String, Sendable, CaseIterable {
        /// It may take place.
        case tentative = "TENTATIVE"
        /// It takes place.
        case confirmed = "CONFIRMED"
        /// It does not take place.
        case cancelled = "CANCELLED"
    }

    /// Identifies the event in every calendar. Use the same text for every version of an event.
    public var uid: String
    /// When this information about the event was current (`DTSTAMP`).
    public var stamp: Timestamp
    /// When the event begins.
    public var start: Timestamp
    /// When the event ends: exclusive, and after the start.
    public var end: Timestamp
    /// The title.
    public var summary: String
    /// Where it takes place; nil to leave it out.
    public var location: String?
    /// More about it, in any number of lines; nil to leave it out.
    public var description: String?
    /// Whether it takes place.
    public var status: Status
    /// How many times the event was changed, 0 to 2,147,483,647; other numbers are clamped.
    public var sequence: Int

    /// Makes an event. Text may contain any character: the writer escapes what has a meaning, and
    /// leaves out control characters.
    public init(
        uid: String,
        stamp: Timestamp,
        start: Timestamp,
        end: Timestamp,
        summary: String,
        location: String? = nil,
        description: String? = nil,
        status: Status = .confirmed,
        sequence: Int = 0
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
    }
}
