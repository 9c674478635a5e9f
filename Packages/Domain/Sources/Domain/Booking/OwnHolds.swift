import Synchronization

/// The last holds that this program has made since it started: their times are shown as its own until they
/// end, and a booking may leave out what its hold states. Other holds are those of other processes, which
/// only the server knows.
public final class OwnHolds: Sendable {
    private static let maximumCount = 256
    private let holds = Mutex<[OwnHold]>([])

    /// Creates an empty collection.
    public init() {}

    /// Adds a hold. Of too many, the oldest is forgotten.
    public func add(_ hold: OwnHold) {
        holds.withLock { holds in
            holds.removeAll { $0.id == hold.id }
            if holds.count == Self.maximumCount { holds.removeFirst() }
            holds.append(hold)
        }
    }

    /// Records that a hold was released or booked, so that it takes no time anymore.
    public func end(_ id: String) {
        holds.withLock { holds in
            for index in holds.indices where holds[index].id == id {
                holds[index].end = Timestamp(secondsSince1970: 0)
            }
        }
    }

    /// The hold with this id, even if it has ended; nil if it is not known.
    public func hold(_ id: String) -> OwnHold? {
        holds.withLock { holds in holds.last { $0.id == id } }
    }

    /// The holds at a salon that have not ended.
    public func holds(at salon: SalonID, now: Timestamp) -> [OwnHold] {
        holds.withLock { holds in
            holds.filter { $0.end > now && $0.appointment.booking.salonID == salon }
        }
    }
}

/// A hold that this program has made.
public struct OwnHold: Sendable, Hashable {
    /// The hold, with its booking.
    public var hold: Hold
    /// What is held, with the staff member if the server names one.
    public var appointment: Appointment
    /// When the hold ends, on this machine's clock.
    public var end: Timestamp
    /// The id of the hold.
    public var id: String { hold.id }

    /// Creates a hold of what its booking states.
    public init(_ hold: Hold, of request: BookingRequest, end: Timestamp) {
        (self.hold, self.end) = (hold, end)
        if hold.booking == nil { self.hold.booking = request }
        appointment = hold.appointment(of: request)
    }
}
