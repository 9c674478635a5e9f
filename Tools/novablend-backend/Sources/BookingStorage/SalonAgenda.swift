public import Domain

/// A salon and the times at which it is booked, as they are stored at one moment.
public struct SalonAgenda: Sendable, Hashable {
    /// The salon.
    public var salon: Salon
    /// The times of the active appointments and unexpired holds that overlap the requested range,
    /// including buffers, with their staff members and seats.
    public var busyIntervals: [BusyInterval]

    /// Creates an agenda.
    public init(salon: Salon, busyIntervals: [BusyInterval]) {
        self.salon = salon
        self.busyIntervals = busyIntervals
    }
}
