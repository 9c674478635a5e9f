public import Domain

/// Some of the salons and appointments that have changed after a position.
public struct ChangePage: Sendable, Hashable {
    /// What has changed, each salon and appointment once, in the order of their last changes.
    public var changes: [StoredChange]
    /// The position after which the next page begins.
    public var cursor: ChangeCursor
    /// Whether there are more changes after the page, which were made before it was read.
    public var hasMore: Bool

    /// Creates a page.
    public init(changes: [StoredChange], cursor: ChangeCursor, hasMore: Bool = false) {
        self.changes = changes
        self.cursor = cursor
        self.hasMore = hasMore
    }
}

/// A salon or an appointment that has changed, in its present state.
public struct StoredChange: Sendable, Hashable {
    /// What has changed.
    public enum Element: Sendable, Hashable {
        /// A salon was created or replaced.
        case salon(Salon)
        /// A salon was deleted.
        case deletedSalon(SalonID)
        /// An appointment was booked, changed, or cancelled.
        case appointment(StoredAppointment)
        /// An appointment was deleted, which is not the same as cancelled.
        case deletedAppointment(DeletedAppointment)
    }

    /// The position after the last change of the element.
    public var cursor: ChangeCursor
    /// What has changed.
    public var element: Element

    /// Creates a change.
    public init(cursor: ChangeCursor, element: Element) {
        self.cursor = cursor
        self.element = element
    }
}

/// A position in the order of all changes.
public struct ChangeCursor: Sendable, Hashable {
    /// Identifies the history that the number counts. In a database that goes on from an earlier state,
    /// for example in a restored copy, the same numbers stand for different changes.
    public var epoch: String
    /// The number of the last change before the position; 0 before the first change.
    public var number: Int64
    /// If several elements have the same number, the last of them that is before the position, in a
    /// form that only the store interprets. Empty if the position is after all elements with the
    /// number.
    public var element: String

    /// Creates a position.
    public init(epoch: String, number: Int64, element: String = "") {
        self.epoch = epoch
        self.number = number
        self.element = element
    }

    /// Whether there are changes between this position and `latest`, the position of the last
    /// change, or this one belongs to a different history.
    public func isOutdated(by latest: ChangeCursor) -> Bool {
        epoch != latest.epoch || number < latest.number
            || (number == latest.number && element != latest.element)
    }
}

/// The kinds of elements that a feed of changes has.
public struct ChangeKinds: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The salons.
    public static let salons = ChangeKinds(rawValue: 1)
    /// The appointments.
    public static let appointments = ChangeKinds(rawValue: 2)
    /// All kinds.
    public static let all: ChangeKinds = [.salons, .appointments]
}

/// Which changes a client gets.
public struct ChangeScope: Sendable, Hashable {
    /// What the client may see.
    public var role: Principal.Role
    /// What the client asks for.
    public var kinds: ChangeKinds

    /// Creates a scope.
    public init(_ role: Principal.Role, _ kinds: ChangeKinds = .all) {
        (self.role, self.kinds) = (role, kinds)
    }
}
