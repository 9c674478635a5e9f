/// Sends the intents of bookings and changes: starts them, resumes them, and previews the result of
/// resuming. `IntentSender+Sending.swift` contains the attempts and the lookups.
struct IntentSender: Sendable {
    let server: any BookingAPI
    let journal: any BookingJournal
    let cache: any ListCache<Appointment>
    let counter: any ChangeCounter
    let times: ReadSalonTime
    let clock: any WallClock
    let pauses: any Pausing
    let makeKey: @Sendable () -> String

    /// A new intent of the present caller, under `key`, or under a new key if it is nil.
    func makeIntent(_ action: BookingAction, key: String?) -> BookingIntent {
        BookingIntent(
            key: key ?? makeKey(),
            action: action,
            createdAt: clock.now,
            caller: server.caller
        )
    }

    /// Journals `intent` and sends it, or resumes the intent that it repeats.
    ///
    /// With `joiningSameBooking`, `intent` joins an open intent for the same booking, unless the
    /// server rejected that one. `check` receives the intent that is about to be resumed, and throws
    /// if the request differs.
    func begin(
        _ intent: BookingIntent,
        joiningSameBooking: Bool,
        check: (BookingIntent) async throws(Failure) -> Void
    ) async throws(Failure) -> BookingConfirmation {
        let claim = try await claim(intent)
        defer { withExtendedLifetime(claim) {} }
        var intent = intent
        if case .book(let request) = intent.action {
            intent.knownBefore = .init(cache.elements() ?? [], at: request)
        }
        let earlier = try journaling {
            try journal.begin(intent, joiningSameBooking: joiningSameBooking)
        }
        guard var earlier else { return try await send(intent) }
        try await check(earlier)
        if case .book(let request) = intent.action { earlier = earlier.repeated(by: request) }
        // A joined intent has a different key and therefore needs a different claim.
        if earlier.key != intent.key { return try await resume(earlier) }
        return try await resume(claimed: earlier)
    }

    /// The intent that a request repeats: the one with `key`, or, if `key` is nil, an open intent
    /// for the same booking as `request` that was not rejected.
    func earlierIntent(_ key: String?, like request: BookingRequest? = nil) throws(Failure)
        -> BookingIntent?
    {
        if let key { try BookingRules.check(key: key) }
        let intents = try journaling { try journal.intents() }
        if let key { return intents.last { $0.key == key } }
        guard let request else { return nil }
        return intents.last { $0.isOpenBooking(of: request) }
    }

    /// The confirmation of the same booking, if it was rejected earlier but the server lists it now: a
    /// proxy may have sent a second copy of the request, or made the rejection itself. Throws if the
    /// lookup does not rule that out, or finds the booking with a different email or note.
    func lateConfirmation(
        of request: BookingRequest
    ) async throws(Failure) -> BookingConfirmation? {
        let rejected = try journaling { try journal.intents() }.filter { intent in
            guard intent.isRejected, case .book(let own) = intent.action else { return false }
            return own.isRepetition(of: request)
        }
        for intent in rejected.reversed() {
            let claim = try await claim(intent)
            defer { withExtendedLifetime(claim) {} }
            if let late = try await lateConfirmation(of: intent, for: request) { return late }
        }
        return nil
    }

    private func lateConfirmation(
        of rejected: BookingIntent,
        for request: BookingRequest
    ) async throws(Failure) -> BookingConfirmation? {
        let (evidence, list): (Evidence, ReportedAppointments)
        do {
            (evidence, list) = try await lookUp(rejected)
        } catch .notAuthenticated(let reason, _) {
            throw .notAuthenticated(reason: reason, key: rejected.key)
        } catch {
            throw error.beforeSending
        }
        switch evidence {
        case .done(let found):
            let showsKey = list.shows(keyOf: [rejected])
            let late = confirm(found, of: rejected, showsKey: showsKey)
            if case .book(let own) = rejected.action, own.isEquivalent(to: request) { return late }
            let own = OwnBooking(appointment: found, key: rejected.key)
            throw .slotUnavailable(alternatives: [], ownBooking: own)
        case .inconclusive(let reason): throw .inDoubt(rejected, reason)
        case .absent, .superseded: return nil
        }
    }

    /// Returns the outcome of an earlier intent. If the server shows that it has not been done,
    /// sends it again under its key, with the action that `earlier` has.
    func resume(_ earlier: BookingIntent) async throws(Failure) -> BookingConfirmation {
        if let confirmation = confirmation(ofDone: earlier) { return confirmation }
        let claim = try await claim(earlier)
        defer { withExtendedLifetime(claim) {} }
        // The previous holder of the claim may have found the outcome.
        var current = try journaling { try journal.intent(of: earlier.key) } ?? earlier
        current.action = earlier.action
        return try await resume(claimed: current)
    }

    private func resume(
        claimed earlier: BookingIntent
    ) async throws(Failure) -> BookingConfirmation {
        if let confirmation = confirmation(ofDone: earlier) { return confirmation }
        let fallback = AttemptSequence.Fallback(resuming: earlier, as: server.caller)
        if let found = try await confirmation(of: earlier, orElse: fallback) { return found }
        return try await send(earlier, isResumed: true)
    }

    /// Predicts the result of ``resume(_:)``. Throws the error that the resumption would throw, as
    /// far as it can be predicted. Sends queries to the server but changes nothing.
    func preview(_ earlier: BookingIntent) async throws(Failure) -> BookingPreview {
        if case .done(let appointment) = earlier.state {
            let found = completed(appointment, of: earlier)
            return preview(repeating: earlier, found: found)
        }
        let (evidence, list): (Evidence, ReportedAppointments)
        do { (evidence, list) = try await lookUp(earlier) } catch {
            throw .inDoubt(earlier, "\(Self.noResponse); looking it up failed: \(error)")
        }
        switch evidence {
        case .done(let appointment): return preview(repeating: earlier, found: appointment)
        case .absent(let current):
            let fallback = AttemptSequence.Fallback(resuming: earlier, as: server.caller)
            if case .doubt(let reason, _) = fallback { throw .inDoubt(earlier, reason) }
            if let doubt = await reasonNotToRepeat(earlier, current, list) { throw doubt }
            return preview(repeating: earlier, found: nil)
        case .inconclusive(let reason): throw .inDoubt(earlier, reason)
        case .superseded(let current): throw Failure(supersededBy: current, earlier)
        }
    }

    /// The preview of a repetition, with the contact data of the cached appointment, which the journal
    /// lacks.
    private func preview(
        repeating earlier: BookingIntent,
        found: Appointment?
    ) -> BookingPreview {
        var preview = BookingPreview(repeating: earlier, found: found)
        preview.before = preview.before.map { completed($0, of: earlier) }
        preview.after = completed(preview.after, of: earlier)
        return preview
    }

    /// The confirmation of an intent that was done earlier; nil for any other intent.
    private func confirmation(ofDone intent: BookingIntent) -> BookingConfirmation? {
        guard case .done(let appointment) = intent.state else { return nil }
        return BookingConfirmation(appointment: completed(appointment, of: intent), key: intent.key)
    }

    /// The appointment of a done intent with the contact data that the journal no longer has: as it is
    /// cached, otherwise as the request states it.
    func completed(_ appointment: Appointment, of intent: BookingIntent) -> Appointment {
        guard appointment.booking.phone.isEmpty else { return appointment }
        let cached = cache.elements()?.last { $0.isSame(as: appointment) }
        let known = cached?.booking ?? intent.action.outcome.booking
        var complete = appointment
        complete.booking.phone = known.phone
        (complete.booking.email, complete.booking.note) = (known.email, known.note)
        complete.booking.digest = nil
        return complete
    }

    /// Throws if the journal cannot be written. May create its directory.
    func checkJournal() throws(Failure) {
        try journaling { try journal.checkWritable() }
    }

    /// Runs `body` and converts its error.
    private func journaling<R>(
        _ body: () throws -> R
    ) throws(Failure) -> R {
        do { return try body() } catch {
            throw .journal(reason: "\(error)")
        }
    }
}

extension IntentSender {
    static let noResponse = "an earlier attempt got no response"
    static let busy = "a different task is sending or resolving it; try again in a moment"

    /// The pauses between attempts to claim an intent. Together they outlast the resolution that a
    /// program runs when it starts.
    private static let claimPauses: [Duration] = [10, 20, 50, 100, 200, 400, 800, 1_600].map {
        .milliseconds($0)
    }

    /// Claims the intents with `keys`. If an intent is claimed elsewhere, retries for a few
    /// seconds. Returns the claims that succeeded.
    func claims(of keys: [String]) async throws -> [String: any IntentClaim] {
        var claims: [String: any IntentClaim] = [:]
        var pauses = Self.claimPauses[...]
        while true {
            for key in keys where claims[key] == nil { claims[key] = try journal.claim(key) }
            guard claims.count < keys.count, let pause = pauses.popFirst() else { return claims }
            do {
                try await self.pause(for: pause)
            } catch {
                return claims
            }
        }
    }

    private func claim(_ intent: BookingIntent) async throws(Failure) -> any IntentClaim {
        let claim: (any IntentClaim)?
        do { claim = try await claims(of: [intent.key])[intent.key] } catch {
            throw .journal(reason: "\(error)")
        }
        guard let claim else { throw .inDoubt(intent, Self.busy) }
        return claim
    }
}

// Checks the time of a booking or change before it is sent: against the salon's rules, and against
// the availability that the server reports.
extension IntentSender {
    /// Checks the time of `request` against the rules of its salon. If the server reports
    /// availability, a rejection suggests only free times. `moved` is the appointment that the request
    /// moves, or nil.
    func check(
        _ request: BookingRequest,
        moving moved: Appointment? = nil,
        at salon: inout RequestedSalon
    ) async throws(Failure) {
        do {
            try await salon.check(request, moving: moved, now: clock.now)
        } catch .outsideOpeningHours(let hours, let reason, let open) {
            let free = await freeTimes(of: open, for: request, moving: moved?.id)
            throw .outsideOpeningHours(hours, reason: reason, alternatives: free)
        } catch .notBookable(let rule, let reason, let open) {
            let free = await freeTimes(of: open, for: request, moving: moved?.id)
            throw .notBookable(rule: rule, reason: reason, alternatives: free)
        }
    }

    /// Throws if the server reports that the slot is taken or not offered, or has no such salon, or if
    /// the query fails. Does nothing if the server does not report availability, or cannot serve the query at
    /// the moment. `id` is that of the appointment that the request moves, or nil.
    func confirmAvailability(
        of request: BookingRequest,
        moving id: String? = nil
    ) async throws(Failure) {
        let availability: SlotAvailability
        do {
            availability = try await server.availability(for: request, moving: id, now: clock.now)
        } catch .unavailable {
            return
        } catch .invalidData where id != nil {
            // A server need not know the appointment's service anymore, or that it moves.
            return
        } catch {
            throw error.beforeSending
        }
        switch availability {
        case .available, .unsupported: return
        case .salonNotFound: throw .salonNotFound(request.salonID)
        case .taken(let alternatives): throw .slotUnavailable(alternatives: alternatives)
        case .notOffered(let alternatives):
            throw .notBookable(
                rule: "other",
                reason: "the server does not offer this time",
                alternatives: alternatives
            )
        }
    }

    /// The appointment with what can be known before it is booked or moved: the service as the salon has
    /// it now, the end, and the staff member whom the server would assign. `id` is that of the
    /// appointment that it moves, or nil.
    func predicted(
        _ appointment: Appointment,
        at salon: RequestedSalon,
        moving id: String?
    ) async -> Appointment {
        guard case .known(let salon, _) = salon.lookup else { return appointment }
        var after = appointment
        let options = after.booking.options
        after.bookedService = salon.service(options.serviceID) ?? after.bookedService
        after.endTime = after.end(at: salon)
        after.isStaffAssigned = false
        // Whom a hold reserves is known only to the server that made it.
        guard options.staffID == nil, !salon.staff.isEmpty, after.booking.holdID == nil,
            let assigned = await server.assignedStaffID(for: after.booking, moving: id)
        else { return after }
        after.booking.options.staffID = assigned
        after.isStaffAssigned = true
        return after
    }

    /// Alternatives that the server reports as free; all `open` times if it does not report
    /// availability. Those before the requested time are looked for from the first of them on, and so
    /// are those after it.
    private func freeTimes(
        of open: [AppointmentTime],
        for request: BookingRequest,
        moving id: String?
    ) async -> [AppointmentTime] {
        let wanted = request.time.instant
        let earlier = open.filter { $0.instant < wanted }
        let later = open.filter { $0.instant > wanted }
        return await freeTimes(from: earlier, for: request, moving: id)
            .filter { $0.instant < wanted }.suffix(AlternativeSearch.count)
            + (await freeTimes(from: later, for: request, moving: id))
            .filter { $0.instant > wanted }.prefix(AlternativeSearch.count)
    }

    private func freeTimes(
        from open: [AppointmentTime],
        for request: BookingRequest,
        moving id: String?
    ) async -> [AppointmentTime] {
        guard let first = open.first else { return [] }
        var nearest = request
        nearest.time = first
        return switch try? await server.availability(for: nearest, moving: id, now: clock.now) {
        case .available(let later): [first] + later
        case .taken(let alternatives), .notOffered(let alternatives): alternatives
        case .unsupported, .salonNotFound, nil: open
        }
    }
}

extension IntentSender {
    /// Returns `error`. If it reports a taken slot, and a booking of this caller takes that slot,
    /// the result names the booking. `id` is the appointment that `request` moves, if it moves one.
    func namingOwnBooking(
        in error: Failure,
        at request: BookingRequest,
        moving id: String? = nil
    ) async -> Failure {
        guard case .slotUnavailable(let alternatives, nil, let reason) = error,
            let own = await ownBooking(at: request, moving: id)
        else { return error }
        return .slotUnavailable(alternatives: alternatives, ownBooking: own, reason: reason)
    }

    /// The booking at the salon and minute of `request` that is in the journal and still on the
    /// server. An equal phone is not enough, because a different client may have made the booking.
    private func ownBooking(at request: BookingRequest, moving id: String?) async -> OwnBooking? {
        let intents = (try? journal.intents()) ?? []
        let candidates = intents.filter { $0.mayHaveTaken(request, as: server.caller) }
        guard !candidates.isEmpty, let list = try? await server.lookUp() else { return nil }
        for intent in candidates.reversed() {
            guard let found = intent.appointment(in: list, among: intents, now: clock.now),
                found.isActive, found.booking.isSameSlot(as: request),
                !found.booking.options.nameDifferentStaff(request.options),
                id == nil || found.id != id
            else { continue }
            return OwnBooking(appointment: found, key: intents.bookingKey(of: found, or: intent))
        }
        return nil
    }
}

extension BookingIntent {
    /// Whether `caller` used this intent to book the slot of `request` or to move an appointment
    /// there.
    fileprivate func mayHaveTaken(_ request: BookingRequest, as caller: Caller) -> Bool {
        action.name != .cancel && !isRejected && action.outcome.booking.isSameSlot(as: request)
            && self.caller.isSame(as: caller)
    }

    /// The appointment of this intent in `list`; nil if the list does not prove which one it is.
    fileprivate func appointment(
        in list: ReportedAppointments,
        among intents: [BookingIntent],
        now: Timestamp
    ) -> Appointment? {
        if case .done(let confirmed) = state, let id = confirmed.id {
            return list.appointments.first { $0.id == id }?.completed(by: confirmed)
        }
        let evidence = Evidence(
            list,
            about: self,
            otherIntents: intents.filter { $0.key != key },
            now: now
        )
        if case .done(let found) = evidence { return found }
        return nil
    }
}

extension [BookingIntent] {
    /// The key under which `appointment` was booked; nil if the journal contains only a later
    /// change.
    fileprivate func bookingKey(of appointment: Appointment, or intent: BookingIntent) -> String? {
        if case .book = intent.action { return intent.key }
        return last { earlier in
            guard case .book = earlier.action, case .done(let booked) = earlier.state else {
                return false
            }
            return booked.id != nil && booked.id == appointment.id
        }?.key
    }
}
