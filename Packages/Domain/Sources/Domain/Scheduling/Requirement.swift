/// What an appointment needs from a salon: a length of time, and a staff member or seats.
public struct Requirement: Sendable, Hashable {
    /// The staff members or seats that an appointment can take.
    public enum Resources: Sendable, Hashable {
        /// One of these staff members, who are in the salon's order.
        case staff([StaffMember])
        /// `count` of the salon's `total` seats.
        case seats(count: Int, total: Int)
    }

    /// The length in minutes, without buffers.
    public var minutes: Int
    /// The minutes before the appointment in which its staff member or seats are not free.
    public private(set) var bufferBefore: Int
    /// The minutes after the appointment in which its staff member or seats are not free.
    public private(set) var bufferAfter: Int
    /// The service whose length it is; nil for an appointment without one, or if it is not known.
    public private(set) var service: Service?
    /// Whether ``minutes`` is an assumption, because there is no service, and the salon states no slot
    /// length. Then the appointment takes this time, but no end may be stated.
    public private(set) var isLengthAssumed = false
    /// What the appointment can take.
    public internal(set) var resources: Resources
    /// How times are compared.
    public private(set) var precision: TimePrecision

    /// Finds out what an appointment with `options` needs. Throws if the salon does not offer it.
    ///
    /// `moved` is the appointment that moves, or nil. If it keeps a service that the salon has removed,
    /// it needs what was booked, and anyone whom the customer names can have it. Otherwise it needs
    /// the staff member whom it has or someone who offers every service; if there is no one like that,
    /// anyone.
    public init(
        of options: BookingOptions,
        at salon: Salon,
        moving moved: Appointment? = nil,
        precision: TimePrecision = .exact
    ) throws(Failure) {
        if let moved, moved.keepsRemovedService(options, at: salon) {
            self.init(service: moved.knownService, at: salon, precision)
            resources = try resources(for: options, nil, at: salon)
            if case .staff(let all) = resources, options.staffID == nil {
                let present = moved.booking.options.staffID
                let able = all.filter { $0.services == nil || $0.id == present }
                resources = .staff(able.isEmpty ? all : able)
            }
            return
        }
        let service = try Self.service(of: options, at: salon)
        self.init(service: service, at: salon, precision)
        resources = try resources(for: options, service, at: salon)
    }

    /// What a booked appointment needs to keep its length and its buffers, in minutes.
    public init(
        minutes: Int,
        bufferBefore: Int,
        bufferAfter: Int,
        resources: Resources,
        precision: TimePrecision
    ) {
        (self.minutes, self.bufferBefore, self.bufferAfter) = (minutes, bufferBefore, bufferAfter)
        (self.resources, self.precision) = (resources, precision)
        service = nil
    }

    init(service: Service?, at salon: Salon, _ precision: TimePrecision) {
        minutes = min(max(service?.minutes ?? salon.appointmentMinutes, 1), 1_440)
        bufferBefore = min(max(service?.bufferBefore ?? 0, 0), 1_440)
        bufferAfter = min(max(service?.bufferAfter ?? 0, 0), 1_440)
        self.service = service
        isLengthAssumed = service == nil && salon.slotMinutes == nil
        let seats = Resources.seats(count: 1, total: max(salon.seats ?? 1, 1))
        resources = salon.staff.isEmpty ? seats : .staff(salon.staff)
        self.precision = precision
    }

    /// The number of staff members or seats.
    public var count: Int { if case .seats(let count, _) = resources { count } else { 1 } }

    /// Whether only one staff member or seat is possible.
    var hasOneResource: Bool {
        switch resources {
        case .staff(let members): members.count == 1
        case .seats(_, let total): total == 1
        }
    }

    /// The staff member, if only one is possible.
    var onlyMember: StaffMember? {
        if case .staff(let members) = resources, members.count == 1 { members[0] } else { nil }
    }

    /// Whether an appointment with this staff member, or with no one in particular, takes the time
    /// of someone who could take this appointment.
    func includes(staffID: String?) -> Bool {
        guard case .staff(let members) = resources, let staffID else { return true }
        return members.contains { $0.id == staffID }
    }

    /// The end of an appointment at `start`, without buffers.
    public func end(from start: Timestamp) -> Timestamp {
        start.advanced(bySeconds: Int64(minutes) * 60)
    }

    /// The time that an appointment at `start` takes, including buffers; whole grains if
    /// the precision is `grains`.
    public func interval(from start: Timestamp) -> Range<Timestamp> {
        let first = start.advanced(bySeconds: Int64(bufferBefore) * -60)
        let last = start.advanced(bySeconds: Int64(minutes + bufferAfter) * 60)
        return precision.start(of: first)..<max(precision.end(of: last), precision.start(of: first))
    }
}

extension Appointment {
    /// Whether `options` keep the service of this appointment although `salon` has removed it.
    fileprivate func keepsRemovedService(_ options: BookingOptions, at salon: Salon) -> Bool {
        guard let id = booking.options.serviceID, id == options.serviceID else { return false }
        return salon.service(id) == nil
    }

    /// The service as the server reports that it was booked, or else only its length, from the end
    /// that the server reports; nil if that is not known either.
    fileprivate var knownService: Service? {
        guard let id = booking.options.serviceID else { return nil }
        if let bookedService, bookedService.id == id { return bookedService }
        let seconds = endTime?.instant.seconds(since: booking.time.instant) ?? 0
        return seconds > 0 ? Service(id: id, name: id, minutes: Int(seconds / 60)) : nil
    }
}

extension Requirement {
    private static func service(
        of options: BookingOptions,
        at salon: Salon
    ) throws(Failure) -> Service? {
        guard let id = options.serviceID else { return nil }
        if let service = salon.services.first(where: { $0.id == id }) { return service }
        let reason =
            salon.services.isEmpty
            ? "cannot be chosen, because \(salon.name) lists no services"
            : "must be one of \(salon.services.map(\.id).joined(separator: ", "))"
        throw .invalidRequest(field: "serviceId", reason: reason)
    }

    private func resources(
        for options: BookingOptions,
        _ service: Service?,
        at salon: Salon
    ) throws(Failure) -> Resources {
        guard options.seats >= 1 else {
            throw .invalidRequest(field: "seats", reason: "must be at least 1")
        }
        guard salon.staff.isEmpty else { return try Self.staff(for: options, service, at: salon) }
        if options.staffID != nil {
            throw .invalidRequest(
                field: "staffId",
                reason: "cannot be chosen, because \(salon.name) lists no staff"
            )
        }
        let total = max(salon.seats ?? 1, 1)
        guard options.seats <= total else {
            throw .invalidRequest(
                field: "seats",
                reason: "must be at most \(total), the number of seats of \(salon.name)"
            )
        }
        let most = precision == .grains ? maximumSeats : total
        guard options.seats <= most else {
            throw .invalidRequest(
                field: "seats",
                reason: "must be at most \(most) for \(takenMinutes.counting("minute")), buffers "
                    + "included"
            )
        }
        return .seats(count: options.seats, total: total)
    }

    private static func staff(
        for options: BookingOptions,
        _ service: Service?,
        at salon: Salon
    ) throws(Failure) -> Resources {
        guard options.seats == 1 else {
            throw .invalidRequest(
                field: "seats",
                reason: "must be 1, because \(salon.name) books staff, not seats"
            )
        }
        guard let id = options.staffID else {
            let staff = salon.staff.filter { $0.offers(service?.id) }
            if !staff.isEmpty { return .staff(staff) }
            throw .invalidRequest(
                field: "serviceId",
                reason: "is a service that no one at \(salon.name) offers"
            )
        }
        guard let member = salon.staff.first(where: { $0.id == id }) else {
            let ids = salon.staff.map(\.id).joined(separator: ", ")
            throw .invalidRequest(field: "staffId", reason: "must be one of \(ids)")
        }
        guard member.offers(service?.id) else {
            throw .invalidRequest(
                field: "staffId",
                reason: "is \(member.name), who does not offer \(service?.name ?? ""); "
                    + offers(of: member, service, at: salon)
            )
        }
        return .staff([member])
    }

    /// A phrase with the ids of the staff members who offer `service`, and of the services that
    /// `member` offers.
    private static func offers(
        of member: StaffMember,
        _ service: Service?,
        at salon: Salon
    ) -> String {
        let others = salon.staff.filter { $0.offers(service?.id) }.map(\.id)
        let services = salon.services.filter { member.offers($0.id) }.map(\.id)
        return
            "it is offered by \(others.isEmpty ? "no one" : others.joined(separator: ", ")), and "
            + "\(member.id) offers \(services.isEmpty ? "nothing" : services.joined(separator: ", "))"
    }
}

extension Requirement {
    /// The maximum number of grains that one transaction of a store takes, counted for each staff
    /// member or seat. A store writes a row for each grain of each, and other bookings wait for the
    /// transaction.
    public static let maximumRows = 2_000

    /// What the longest appointment of a salon needs if it takes all seats, or one staff member.
    public static func largest(at salon: Salon) -> Requirement {
        let lengths = salon.services.map { Requirement(service: $0, at: salon, .grains) }
        var largest = lengths.reduce(Requirement(service: nil, at: salon, .grains)) {
            longest,
            next in
            next.maximumGrains > longest.maximumGrains ? next : longest
        }
        if case .seats(_, let total) = largest.resources {
            largest.resources = .seats(count: total, total: total)
        }
        return largest
    }

    /// The maximum number of seats that an appointment of this length can take without exceeding
    /// ``maximumRows``, whenever it starts.
    public var maximumSeats: Int { Self.maximumRows / maximumGrains }

    /// The length in minutes, including buffers.
    public var takenMinutes: Int { bufferBefore + minutes + bufferAfter }

    /// The maximum number of grains that an appointment of this length can touch. It touches one
    /// more than its length if it does not start at the beginning of a grain.
    private var maximumGrains: Int {
        let grain = Int(TimePrecision.grainSeconds / 60)
        return (takenMinutes + grain - 1) / grain + 1
    }
}
