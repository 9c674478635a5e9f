import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

extension Routes {
    static let availability = [
        Route(
            method: "GET",
            path: PathTemplate("/salons/{id}/availability"),
            name: "listSlots",
            summary: "Lists the slots of a salon that start in a range of at most 31 days.",
            parameters: [
                .salonID,
                .time("start", "The start of the range."),
                .time("end", "The exclusive end of the range."),
                .init("serviceId", in: .query, LocalIDCodec.schema, "The id of the service."),
                .init("staffId", in: .query, LocalIDCodec.schema, "The id of the staff member."),
                .init(
                    "seats",
                    in: .query,
                    .integer(in: BookingOptionsCodec.seatsRange),
                    "The number of seats; 1 by default."
                ),
                .init(
                    "appointmentId",
                    in: .query,
                    LocalIDCodec.schema,
                    "The id of an appointment to move, whose own time counts as free if the caller may "
                        + "see it."
                ),
                .init("explain", in: .query, .boolean, "Whether each slot states who is free."),
                .init(
                    "assign",
                    in: .query,
                    .boolean,
                    "Whether the list states whom an appointment at `start` would get now."
                ),
            ],
            successes: [
                .page(SlotListCodec.schema, "A page of the slots, of about 512 KiB at most.")
            ],
            problems: [.salonNotFound, .invalidRange, .invalidBooking, .storage],
            caching: .revalidated,
            access: .public,
            handler: { try await $0.listSlots($1) }
        )
    ]

    private func listSlots(_ call: RouteCall) async throws -> ServerResponse {
        let query = try SlotRequest(call)
        var moved: StoredAppointment?
        if let id = query.movedID {
            moved = try await store.appointment(id, visibleTo: call.principal.role)
            if moved?.booking.salonID != query.salonID { moved = nil }
        }
        var (page, busy) = try await page(of: query, moving: moved, for: call.principal)
        busy.removeInterval(of: moved)
        let slots = page.schedule.slots(
            at: page.starts,
            for: page.requirement,
            busy: busy,
            now: clock.now,
            isExplained: query.isExplained
        )
        var list = SlotList(slots, salonVersion: page.schedule.salon.version)
        if query.isExplained {
            list.buffers = try await buffers(slots.first, of: query, page, moved)
        }
        if query.isAssigned { list.assignedStaffID = try await assigned(for: query, page, moved) }
        return ServerResponse(json: SlotListCodec.encode(list))
            .linkingNext(page.next.map(query.query(from:)))
    }

    /// The buffers that prevent an appointment at the start of the range, where the first slot is, if it
    /// is taken, or someone is then.
    private func buffers(
        _ slot: Slot?,
        of query: SlotRequest,
        _ page: SlotPage,
        _ moved: StoredAppointment?
    ) async throws -> [BufferConflict] {
        let start = query.start.instant
        guard let slot, slot.start.instant == start else { return [] }
        let isFull = slot.free.map { $0 < page.requirement.count } ?? false
        let isAnyoneTaken = slot.staff?.contains { $0.rule == BlockingRule.taken.name } ?? false
        guard isFull || isAnyoneTaken else { return [] }
        let first = page.requirement.interval(from: start).lowerBound
        let near = try await store.activeAppointments(
            of: query.salonID,
            endingAfter: first,
            limit: 500
        )
        return page.schedule.bufferConflicts(
            for: page.requirement,
            at: start,
            among: near.filter { $0.id != moved?.id }.map(\.appointment)
        )
    }

    /// The staff member whom an appointment at the start of the range would get now; nil if no one is free,
    /// or if there is no choice.
    private func assigned(
        for query: SlotRequest,
        _ page: SlotPage,
        _ moved: StoredAppointment?
    ) async throws -> String? {
        let (schedule, requirement, start) = (page.schedule, page.requirement, query.start.instant)
        guard case .staff = requirement.resources, query.options.staffID == nil else { return nil }
        let day = schedule.allocationRange(for: requirement, at: start)
        let week = schedule.week(of: start)
        var range = min(day.lowerBound, week.lowerBound)..<max(day.upperBound, week.upperBound)
        while true {
            let agenda = try await store.agenda(
                of: query.salonID,
                from: range.lowerBound,
                to: range.upperBound
            )
            guard let agenda else { throw Problem.salonNotFound(query.salonID) }
            var busy = agenda.busyIntervals
            busy.removeInterval(of: moved)
            let interval = requirement.interval(from: start)
            if let longer = schedule.longerRange(than: range, for: interval, busy: busy) {
                range = longer
                continue
            }
            let found = schedule.allocation(
                for: requirement,
                at: start,
                busy: busy,
                preferring: moved?.booking.options.staffID
            ) { Schedule.work(in: $0, of: busy) }
            if case .staff(let id)? = found { return id }
            return nil
        }
    }

    /// The first page of slots by the current version of a salon, and the times that are taken
    /// during the page. The store reads both at once, so the range to read is first determined with
    /// a recent version of the salon, which is usually the current one.
    private func page(
        of query: SlotRequest,
        moving moved: StoredAppointment?,
        for principal: Principal
    ) async throws -> (page: SlotPage, busy: [BusyInterval]) {
        let id = query.salonID
        guard var salon = try await store.recentSalon(id) else {
            throw Problem.salonNotFound(id)
        }
        var longer: Range<Timestamp>?
        while true {
            let page = Result {
                try self.page(of: query, moving: moved, at: rules(of: salon, for: principal))
            }
            let range =
                longer ?? (try? page.get().busyRange) ?? query.start.instant..<query.start.instant
            let (start, end) = (range.lowerBound, range.upperBound)
            guard let agenda = try await store.agenda(of: id, from: start, to: end) else {
                throw Problem.salonNotFound(id)
            }
            guard agenda.salon.version == salon.version else {
                (salon, longer) = (agenda.salon, nil)
                continue
            }
            let (found, busy) = (try page.get(), agenda.busyIntervals)
            longer = found.schedule.longerRange(than: range, for: found.busyRange, busy: busy)
            if longer == nil { return (found, busy) }
        }
    }

    private func page(
        of query: SlotRequest,
        moving moved: StoredAppointment?,
        at salon: Salon
    ) throws(Problem) -> SlotPage {
        let schedule = schedule(of: salon, for: query.start)
        let requirement = try requirement(of: query.options, moving: moved, by: schedule)
        let start = query.start.instant
        let starts = schedule.starts(for: requirement, from: start, to: query.end.instant)
        let count = PageBudget.slotCount(for: requirement, isExplained: query.isExplained)
        let onPage = starts.prefix(count)
        let first = requirement.interval(from: onPage.first ?? start)
        let last = requirement.interval(from: onPage.last ?? start)
        return SlotPage(
            schedule: schedule,
            requirement: requirement,
            starts: onPage,
            next: count < starts.count ? starts[count] : nil,
            busyRange: first.lowerBound..<last.upperBound
        )
    }

    /// The schedule of a salon. If it has no time zone that this machine knows, its hours apply at
    /// the offset of `time`.
    func schedule(of salon: Salon, for time: AppointmentTime) -> Schedule {
        let known = withKnownZone(salon)
        let clock = try? SalonClock(of: known, zones: zones, offsetMinutes: time.offsetMinutes)
        return Schedule(
            of: known,
            on: clock ?? .offset(minutes: time.offsetMinutes),
            precision: .grains
        )
    }

    /// The schedule of a salon with its own clock, which shows UTC if its time zone is not known.
    func schedule(of salon: Salon) -> Schedule {
        schedule(of: salon, for: AppointmentTime(instant: clock.now))
    }

    /// Free times for `booking` instead of the time that it requests, or instead of now if that is
    /// later. Empty if the salon does not exist. The time that `moved` takes counts as free.
    func alternatives(
        to booking: BookingRequest,
        moving moved: StoredAppointment?,
        for principal: Principal
    ) async throws -> [AppointmentTime] {
        let now = clock.now
        var time = booking.time
        time.instant = max(time.instant, now)
        guard let salon = try await store.recentSalon(booking.salonID) else { return [] }
        let schedule = schedule(of: rules(of: salon, for: principal), for: time)
        let needed = try requirement(of: booking.options, moving: moved, by: schedule)
        var search = schedule.alternativeSearch(around: time.instant, for: needed, now: now)
        while let range = search.nextRange {
            var start = time
            start.instant = range.lowerBound
            let agenda = try await agenda(
                of: booking.salonID,
                from: start,
                to: range.upperBound,
                booking.options,
                for: principal
            )
            guard let (schedule, taken) = agenda else { return [] }
            var busy = taken
            busy.removeInterval(of: moved)
            search.add(schedule.free(in: range, of: search, for: needed, busy: busy, now: now))
        }
        return search.times
    }

    /// The schedule of a salon, and the taken times that can affect slots that start in a range;
    /// nil if the salon does not exist.
    private func agenda(
        of salon: SalonID,
        from start: AppointmentTime,
        to end: Timestamp,
        _ options: BookingOptions,
        for principal: Principal
    ) async throws -> (Schedule, [BusyInterval])? {
        let slots = bookedRange(from: start.instant, to: end, options)
        var range = slots
        while true {
            let found = try await store.agenda(
                of: salon,
                from: range.lowerBound,
                to: range.upperBound
            )
            guard let found else { return nil }
            let schedule = schedule(of: rules(of: found.salon, for: principal), for: start)
            let busy = found.busyIntervals
            guard let longer = schedule.longerRange(than: range, for: slots, busy: busy) else {
                return (schedule, busy)
            }
            range = longer
        }
    }

    /// The range in which bookings can conflict with a slot that starts from `from` to `to`,
    /// whatever its service is: a service takes at most a day, and so does each of its buffers.
    private func bookedRange(
        from: Timestamp,
        to: Timestamp,
        _ options: BookingOptions
    ) -> Range<Timestamp> {
        let bufferDays: Int64 = options.serviceID == nil ? 0 : 1
        return from.advanced(byDays: -bufferDays)..<to.advanced(byDays: 1 + bufferDays)
    }
}

/// The part of the slots that one response has.
private struct SlotPage {
    let schedule: Schedule
    let requirement: Requirement
    let starts: ArraySlice<Timestamp>
    /// The first start of the next page; nil if this is the last one.
    let next: Timestamp?
    /// The time that the slots take, with their buffers.
    let busyRange: Range<Timestamp>
}

extension Timestamp {
    fileprivate func advanced(byDays days: Int64) -> Timestamp {
        advanced(bySeconds: days * 86_400)
    }
}

extension Route.Parameter {
    fileprivate static func time(_ name: String, _ summary: String) -> Route.Parameter {
        let summary = "\(summary) ISO 8601 with an offset."
        return Self(name, in: .query, AppointmentTimeCodec.schema, summary, isRequired: true)
    }
}

extension [BusyInterval] {
    /// Removes the time that an active appointment takes, so that the appointment can be moved.
    fileprivate mutating func removeInterval(of appointment: StoredAppointment?) {
        guard let appointment, appointment.status == .booked,
            let index = firstIndex(of: appointment.interval)
        else { return }
        remove(at: index)
    }
}
