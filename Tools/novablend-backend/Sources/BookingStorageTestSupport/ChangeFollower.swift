public import BookingStorage
public import Domain

/// A copy of all salons and appointments, which follows their changes.
public struct ChangeFollower: Sendable {
    private var cursor: ChangeCursor
    /// The salons of the copy.
    public private(set) var salons: [SalonID: Salon] = [:]
    /// The appointments of the copy.
    public private(set) var appointments: [String: StoredAppointment] = [:]

    /// Takes a cursor, and then reads the lists.
    public init(_ store: any BookingStore) async throws {
        cursor = try await store.changes(after: nil, limit: 0).cursor
        salons = try await Self.salons(of: store)
        appointments = try await Self.appointments(of: store)
    }

    /// Applies all changes since the last call, in pages of at most `limit` changes. Throws a
    /// ``SpecViolation`` if a page is too large, is not in order, or repeats an element.
    public mutating func follow(_ store: any BookingStore, limit: Int = 100) async throws {
        while true {
            let page = try await store.changes(after: cursor, limit: limit)
            if page.cursor == cursor { return try expect(page.changes.isEmpty) }
            try check(page, limit: limit)
            for change in page.changes { apply(change.element) }
            cursor = page.cursor
        }
    }

    /// Throws a ``SpecViolation`` unless the copy equals the lists of the store.
    public func compare(with store: any BookingStore) async throws {
        try expectEqual(salons, try await Self.salons(of: store))
        try expectEqual(appointments, try await Self.appointments(of: store))
    }

    private func check(_ page: ChangePage, limit: Int) throws {
        try expect(page.changes.count <= limit, "a page has \(page.changes.count) changes")
        let positions = [cursor] + page.changes.map(\.cursor) + [page.cursor]
        let isOrdered = zip(positions, positions.dropFirst()).allSatisfy { earlier, later in
            earlier == later || earlier.isOutdated(by: later) && earlier.number <= later.number
        }
        try expect(isOrdered, "the order is \(positions)")
        let places = page.changes.map(\.cursor)
        try expect(Set(places).count == places.count, "a position occurs twice: \(places)")
        let ids = page.changes.map { change in
            switch change.element {
            case .salon(let salon): salon.id.description
            case .deletedSalon(let id): id.description
            case .appointment(let appointment): appointment.id
            case .deletedAppointment(let deleted): deleted.id
            }
        }
        try expect(Set(ids).count == ids.count, "an element occurs twice: \(ids)")
    }

    private mutating func apply(_ element: StoredChange.Element) {
        switch element {
        case .salon(let salon): salons[salon.id] = salon
        case .deletedSalon(let id): salons[id] = nil
        case .appointment(let appointment): appointments[appointment.id] = appointment
        case .deletedAppointment(let deleted): appointments[deleted.id] = nil
        }
    }

    private static func salons(of store: any BookingStore) async throws -> [SalonID: Salon] {
        var all: [SalonID: Salon] = [:]
        var last: SalonID?
        while true {
            let page = try await store.salons(after: last, limit: 1_000)
            for salon in page { all[salon.id] = salon }
            guard let next = page.last?.id else { return all }
            last = next
        }
    }

    private static func appointments(
        of store: any BookingStore
    ) async throws -> [String: StoredAppointment] {
        var all: [String: StoredAppointment] = [:]
        var last: AppointmentPosition?
        while true {
            let page = try await store.appointments(after: last, limit: 1_000)
            for appointment in page { all[appointment.id] = appointment }
            guard let next = page.last?.position else { return all }
            last = next
        }
    }
}
