/// A day on which a salon has other hours than usual, or none.
public struct OpeningException: Sendable, Hashable {
    /// The day on the salon's wall clock.
    public var date: CalendarDate
    /// The hours that begin on that day; nil when it is closed. Those of the day before that reach
    /// past midnight stay.
    public var hours: OpeningHours?

    /// Makes an exception.
    public init(date: CalendarDate, hours: OpeningHours?) {
        self.date = date
        self.hours = hours
    }
}
