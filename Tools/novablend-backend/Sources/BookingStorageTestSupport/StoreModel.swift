import BookingStorage
import Contract
import Domain

/// A store as simple as possible, for comparison.
struct StoreModel {
    /// The result of a call.
    enum Outcome: Equatable {
        case appointment(StoredAppointment)
        case hold(StoredHold)
        case salon(Salon)
        case done
        /// The message of a problem.
        case failed(String)
    }

    enum KeyState {
        case voided
        case resultDeleted
        case used(KeyedRequest, StoredAppointment)
    }

    struct KeyPlace: Hashable {
        var key: IdempotencyKey
        /// The salon to which the entry applies; nil for all salons.
        var salon: SalonID?
    }

    var now: Timestamp
    var appointments: [String: StoredAppointment] = [:]
    /// In the order of their creation.
    var holds: [StoredHold] = []
    private var holdRequests: [String: KeyedRequest] = [:]
    private(set) var salons: [SalonID: Salon] = [:]
    private var versions: [SalonID: Int] = [:]
    var keys: [KeyPlace: KeyState] = [:]

    init(now: Timestamp) { self.now = now }

    /// Books. The appointment gets the id that the store has assigned, if the store has booked it.
    mutating func book(
        _ booking: BookingRequest,
        _ request: KeyedRequest?,
        id: String,
        _ check: (Salon) throws -> BookingPlan
    ) throws -> Outcome {
        if let earlier = try earlierResult(of: request, in: booking.salonID) {
            return .appointment(earlier)
        }
        guard let salon = salons[booking.salonID] else {
            throw Problem.salonNotFound(booking.salonID)
        }
        let plan = try check(salon)
        let index = holds.firstIndex { $0.id == booking.holdID && $0.expiresAt > now }
        let hold = index.map { holds[$0] }
        if let hold, hold.caller != booking.caller { throw Problem.notYourHold }
        let contradictions = hold?.contradictions(of: booking) ?? []
        if !contradictions.isEmpty { throw Problem.holdMismatch(contradictions) }
        var stored = StoredAppointment(
            id: id,
            booking: booking,
            minutes: plan.requirement.minutes,
            isLengthAssumed: isLengthAssumed(booking, plan),
            bufferBefore: plan.requirement.bufferBefore,
            bufferAfter: plan.requirement.bufferAfter,
            serviceName: plan.requirement.service?.name,
            price: plan.requirement.service?.price,
            idempotencyKey: request?.key.text
        )
        stored.booking.holdID = nil
        let requested = booking.options.staffID ?? hold?.requestedOptions.staffID
        let present = hold?.booking.options.staffID
        guard
            let allocation = allocation(plan, booking, except: hold?.id ?? id, preferring: present)
        else { throw Problem.slotUnavailable }
        stored.booking.options.staffID = allocation.staffID
        stored.isStaffAssigned = allocation.staffID != requested
        if let index { holds[index].expiresAt = now }
        return store(stored, request)
    }

    mutating func change(
        _ id: String,
        _ request: KeyedRequest?,
        _ edit: (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) throws -> Outcome {
        guard var stored = appointments[id] else { throw Problem.appointmentNotFound(id) }
        if let earlier = try earlierResult(of: request, in: stored.booking.salonID) {
            return .appointment(earlier)
        }
        if stored.status == .cancelled { throw Problem.appointmentCancelled(id) }
        let present = stored.booking.options.staffID
        guard let plan = try edit(&stored, salons[stored.booking.salonID]) else {
            stored.version += 1
            return store(stored, request)
        }
        let booking = stored.booking
        let requested = stored.requestedOptions.staffID
        guard let allocation = allocation(plan, booking, except: id, preferring: present) else {
            throw Problem.slotUnavailable
        }
        stored.version += 1
        stored.minutes = plan.requirement.minutes
        stored.isLengthAssumed = isLengthAssumed(booking, plan)
        stored.bufferBefore = plan.requirement.bufferBefore
        stored.bufferAfter = plan.requirement.bufferAfter
        stored.serviceName = plan.requirement.service?.name
        stored.price = plan.requirement.service?.price
        stored.booking.options.staffID = allocation.staffID
        stored.isStaffAssigned = allocation.staffID != requested && allocation.staffID != nil
        return store(stored, request)
    }

    /// Holds a time. The hold gets the id that the store has assigned, if the store holds the time.
    mutating func hold(
        _ booking: BookingRequest,
        seconds: Int64,
        _ request: KeyedRequest?,
        id: String,
        _ check: (Salon) throws -> BookingPlan
    ) throws -> Outcome {
        switch request.flatMap({ state(of: $0.key, in: booking.salonID) }) {
        case nil: break
        case .voided: throw Problem.keyVoided
        case .resultDeleted, .used: throw Problem.idempotencyConflict
        }
        let active = holds.filter { $0.expiresAt > now }
        let earlier = active.first { hold in
            request != nil && holdRequests[hold.id]?.key == request?.key
                && hold.booking.salonID == booking.salonID
        }
        if let earlier {
            guard holdRequests[earlier.id] == request else { throw Problem.idempotencyConflict }
            return .hold(earlier)
        }
        guard let salon = salons[booking.salonID] else {
            throw Problem.salonNotFound(booking.salonID)
        }
        let plan = try check(salon)
        if active.count(where: { $0.caller == booking.caller }) >= 3 {
            throw Problem.tooManyHolds(retryAfterSeconds: 0)
        }
        guard let allocation = allocation(plan, booking, except: id, preferring: nil) else {
            throw Problem.slotUnavailable
        }
        var hold = StoredHold(
            id: id,
            caller: booking.caller,
            booking: booking,
            minutes: plan.requirement.minutes,
            bufferBefore: plan.requirement.bufferBefore,
            bufferAfter: plan.requirement.bufferAfter,
            isStaffAssigned: allocation.staffID != booking.options.staffID,
            expiresAt: now.advanced(bySeconds: seconds)
        )
        hold.booking.options.staffID = allocation.staffID
        holds.append(hold)
        holdRequests[id] = request
        let oldest = Set(holds.prefix(2).map(\.id))
        let limit = now.advanced(bySeconds: -86_400)
        holds.removeAll { oldest.contains($0.id) && $0.expiresAt < limit }
        return .hold(hold)
    }

    mutating func release(hold id: String) throws -> Outcome {
        guard let index = holds.firstIndex(where: { $0.id == id }) else {
            throw Problem.holdNotFound(id)
        }
        holds[index].expiresAt = min(holds[index].expiresAt, now)
        return .done
    }

    /// The times that are taken in a salon, except by the appointment or hold `id`.
    func busyIntervals(of salon: SalonID, except id: String = "") -> [BusyInterval] {
        reservations.filter { $0.booking.salonID == salon && $0.id != id }.map(\.interval)
    }

    /// The active appointments and holds.
    var reservations: [StoredAppointment] {
        appointments.values.filter { $0.status == .booked }
            + holds.filter { $0.expiresAt > now }.map { hold in
                StoredAppointment(
                    id: hold.id,
                    booking: hold.booking,
                    minutes: hold.minutes,
                    bufferBefore: hold.bufferBefore,
                    bufferAfter: hold.bufferAfter
                )
            }
    }

    /// Whether neither a service nor the salon states the length.
    private func isLengthAssumed(_ booking: BookingRequest, _ plan: BookingPlan) -> Bool {
        plan.requirement.service == nil && salons[booking.salonID]?.slotMinutes == nil
    }

    private func allocation(
        _ plan: BookingPlan,
        _ booking: BookingRequest,
        except id: String,
        preferring preferred: String?
    ) -> Allocation? {
        let busy = busyIntervals(of: booking.salonID, except: id)
        return plan.schedule.allocation(
            for: plan.requirement,
            at: booking.time.instant,
            busy: busy,
            preferring: preferred
        ) { Schedule.work(in: $0, of: busy) }
    }

    private func state(of key: IdempotencyKey, in salon: SalonID) -> KeyState? {
        [salon, nil].lazy.compactMap { keys[KeyPlace(key: key, salon: $0)] }.first
    }

    private func earlierResult(
        of request: KeyedRequest?,
        in salon: SalonID
    ) throws -> StoredAppointment? {
        guard let request else { return nil }
        switch state(of: request.key, in: salon) {
        case nil: return nil
        case .voided: throw Problem.keyVoided
        case .resultDeleted: throw Problem.appointmentDeleted
        case .used(request, let result): return result
        case .used: throw Problem.idempotencyConflict
        }
    }

    private mutating func store(_ stored: StoredAppointment, _ request: KeyedRequest?) -> Outcome {
        appointments[stored.id] = stored
        if let request {
            let place = KeyPlace(key: request.key, salon: stored.booking.salonID)
            keys[place] = .used(request, stored)
        }
        return .appointment(stored)
    }

    mutating func void(_ key: IdempotencyKey, in salon: SalonID?) throws -> Outcome {
        for (place, state) in keys where place.key == key {
            if case .voided = state { continue }
            if salon == nil || place.salon == salon { throw Problem.keyUsed(nil) }
        }
        keys[KeyPlace(key: key, salon: salon)] = .voided
        return .done
    }

    mutating func put(_ salon: Salon, if condition: SalonCondition) throws -> Outcome {
        guard condition.isMet(by: salons[salon.id]?.version) else {
            throw Problem.versionConflict(salons[salon.id])
        }
        var salon = salon
        salon.version = versions[salon.id, default: 0] + 1
        versions[salon.id] = salon.version
        salons[salon.id] = salon
        return .salon(salon)
    }

    mutating func deleteSalon(_ id: SalonID, if condition: SalonCondition) throws -> Outcome {
        guard let salon = salons[id] else { throw Problem.salonNotFound(id) }
        guard condition.isMet(by: salon.version) else { throw Problem.versionConflict(salon) }
        let isNeeded = appointments.values.contains { stored in
            stored.status == .booked && stored.booking.salonID == id
                && stored.booking.time.instant > now
        }
        if isNeeded { throw Problem.salonHasBookings }
        salons[id] = nil
        versions[id, default: 0] += 1
        return .done
    }
}

extension StoreModel.Outcome {
    /// The result of a call of a store.
    init(_ call: () async throws -> StoreModel.Outcome) async throws {
        do {
            self = try await call()
        } catch {
            self = try .failed(error)
        }
    }

    /// The result of a call of a model.
    init(of call: () throws -> StoreModel.Outcome) throws {
        do {
            self = try call()
        } catch {
            self = try .failed(error)
        }
    }

    private static func failed(_ error: any Error) throws -> StoreModel.Outcome {
        let problem = Problem(error)
        if let failure = problem.failure { throw failure }
        return .failed(problem.message)
    }
}

extension Allocation {
    fileprivate var staffID: String? { if case .staff(let id) = self { id } else { nil } }
}

extension StoreModel {
    /// The appointments that ended before an instant.
    func endedAppointments(before end: Timestamp) -> Set<String> {
        Set(appointments.values.filter { $0.takenUntil < end }.map(\.id))
    }

    /// Deletes the holds that are no longer remembered.
    mutating func deleteExpiredHolds() {
        let oldest = now.advanced(bySeconds: -StoredHold.retentionSeconds)
        holds.removeAll { $0.expiresAt < oldest }
    }

    /// Deletes appointments and the results of their requests.
    mutating func delete(_ ids: Set<String>) {
        for id in ids { appointments[id] = nil }
        for (place, state) in keys {
            if case .used(_, let result) = state, ids.contains(result.id) {
                keys[place] = .resultDeleted
            }
        }
    }
}

extension StoreModel {
    /// The grains from now on that appointments and holds occupy. Seats have no numbers.
    var occupiedGrains: [OccupiedGrain] {
        var grains: [OccupiedGrain] = []
        for reservation in reservations {
            let interval = reservation.interval
            let last = (interval.end.secondsSince1970 - 1) / 300
            let first = max(interval.start.secondsSince1970, now.secondsSince1970) / 300
            guard first <= last else { continue }
            for grain in first...last {
                let occupied = OccupiedGrain(
                    salon: reservation.booking.salonID.description,
                    grain: grain,
                    resource: interval.staffID.map { "staff \($0)" } ?? "seat",
                    owner: reservation.id
                )
                grains += Array(repeating: occupied, count: interval.seats)
            }
        }
        return grains
    }
}

/// A row of the table of occupied grains, as a test reads it from the database.
public struct OccupiedGrain: Sendable, Hashable {
    /// The id of the salon.
    public var salon: String
    /// The number of the five-minute interval since the Unix epoch.
    public var grain: Int64
    /// The name of the staff member or seat: its kind, a space, and its id or number.
    public var resource: String
    /// The id of the appointment or hold.
    public var owner: String

    /// Creates a grain.
    public init(salon: String, grain: Int64, resource: String, owner: String) {
        self.salon = salon
        self.grain = grain
        self.resource = resource
        self.owner = owner
    }

    /// The resource in this grain, which only one owner can have.
    var place: String { "\(resource) in grain \(grain) of \(salon)" }
}
