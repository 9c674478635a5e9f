/// Why slots were not listed.
public enum AvailabilityError: Error, Sendable, Hashable {
    /// There is no such salon.
    case salonNotFound(SalonID)
    /// A time of the request does not name exactly one instant.
    case invalidTime(field: String, InvalidTimeError)
    /// The range ends before it starts, or is too long.
    case invalidRange(reason: String)
    /// This machine does not know the time zone of the salon.
    case zoneUnknown(ZoneID)
    /// The salon or the appointments could not be loaded.
    case load(LoadError)
}
