/// Why slots could not be listed.
public enum AvailabilityError: Error, Sendable, Hashable {
    /// The salon does not exist.
    case salonNotFound(SalonID)
    /// A time in the request does not name exactly one instant.
    case invalidTime(field: String, InvalidTimeError)
    /// The salon does not offer what the request chooses.
    case invalidOptions(InvalidOptionsError)
    /// The range ends before it starts, or is too long.
    case invalidRange(reason: String)
    /// This machine does not know the time zone of the salon.
    case zoneUnknown(ZoneID)
    /// The salon or the appointments could not be loaded.
    case load(LoadError)
}
