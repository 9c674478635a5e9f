/// A day on which a salon has different hours or is closed.
public struct OpeningException: Sendable, Hashable {
    /// The day on the salon's wall clock.
    public var date: CalendarDate
    /// The hours that start on that day; nil if the salon is closed. They do not affect the hours
    /// of the previous day that extend past midnight.
    public var hours: OpeningHours?

    /// Creates an exception.
    public init(date: CalendarDate, hours: OpeningHours?) {
        self.date = date
        self.hours = hours
    }
}
