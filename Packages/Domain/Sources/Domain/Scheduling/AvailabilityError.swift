/// Why slots were not listed.
public enum AvailabilityError: Error, Sendable, Hashable {
    /// There is no such salon.
    case salonNotFound(SalonID)
    /// A time of the request names no instant for certain.
    case invalidTime(field: String, InvalidTimeError)
    /// The range ends before it begins, or is too long.
    case invalidRange(reason: String)
    /// The zone of the salon is not known on this machine.
    case zoneUnknown(ZoneID)
    /// What is needed could not be loaded.
    case load(LoadError)
}
