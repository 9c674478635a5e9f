import BookingStorage
import Domain

/// A store as simple as possible, for comparison.
struct StoreModel {
    /// The result of a call.
    enum Outcome: Equatable {
        case appointment(StoredAppointment)
        case hold(StoredHold)
        case salon(Salon)
        case done
        /// The name of an error.
        case error(String)
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
    ) -> Outcome {
        if let earlier = earlierOutcome(of: request, in: booking.salonID) { return earlier }
        guard let salon = salons[booking.salonID] else { return .error("salonNotFound") }
        guard let plan = try? check(salon) else { return .error("rejected") }
        let index = holds.firstIndex { $0.id == booking.holdID && $0.expiresAt > now }
        let hold = index.map { holds[$0] }
        if let hold, hold.caller != booking.caller { return .error("holdOfDifferentCaller") }
        if let hold, !hold.holds(booking) { return .error("holdMismatch") }
        var stored = StoredAppointment(
            id: id,
            booking: booking,
            minutes: plan.requirement.minutes,
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
        else { return .error("slotUnavailable") }
        stored.booking.options.staffID = allocation.staffID
        stored.isStaffAssigned = allocation.staffID != requested
        if let index { holds[index].expiresAt = now }
        return store(stored, request)
    }

    mutating func change(
        _ id: String,
        _ request: KeyedRequest?,
        _ edit: (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) -> Outcome {
        guard var stored = appointments[id] else { return .error("appointmentNotFound") }
        if let earlier = earlierOutcome(of: request, in: stored.booking.salonID) { return earlier }
        if stored.status == .cancelled { return .error("appointmentCancelled") }
        let present = stored.booking.options.staffID
        guard let plan = try? edit(&stored, salons[stored.booking.salonID]) else {
            guard stored.status == .cancelled else { return .error("rejected") }
            stored.version += 1
            return store(stored, request)
        }
        let booking = stored.booking
        let requested = stored.requestedOptions.staffID
        guard let allocation = allocation(plan, booking, except: id, preferring: present) else {
            return .error("slotUnavailable")
        }
        stored.version += 1
        stored.minutes = plan.requirement.minutes
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
    ) -> Outcome {
        if let earlier = earlierOutcome(of: request, in: booking.salonID) {
            return earlier == .error("resultDeleted") ? .error("keyReused") : earlier
        }
        let active = holds.filter { $0.expiresAt > now }
        let earlier = active.first { hold in
            request != nil && holdRequests[hold.id]?.key == request?.key
                && hold.booking.salonID == booking.salonID
        }
        if let earlier {
            return holdRequests[earlier.id] == request ? .hold(earlier) : .error("keyReused")
        }
        guard let salon = salons[booking.salonID] else { return .error("salonNotFound") }
        guard let plan = try? check(salon) else { return .error("rejected") }
        if active.count(where: { $0.caller == booking.caller }) >= 3 {
            return .error("tooManyHolds")
        }
        guard let allocation = allocation(plan, booking, except: id, preferring: nil) else {
            return .error("slotUnavailable")
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

    mutating func release(hold id: String) -> Outcome {
        guard let index = holds.firstIndex(where: { $0.id == id }) else {
            return .error("holdNotFound")
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

    private func allocation(
        _ plan: BookingPlan,
        _ booking: BookingRequest,
        except id: String,
        preferring preferred: String?
    ) -> Allocation? {
        plan.schedule.allocation(
            for: plan.requirement,
            at: booking.time.instant,
            busy: busyIntervals(of: booking.salonID, except: id),
            preferring: preferred
        )
    }

    private func earlierOutcome(of request: KeyedRequest?, in salon: SalonID) -> Outcome? {
        guard let request else { return nil }
        let places = [salon, nil].map { KeyPlace(key: request.key, salon: $0) }
        switch places.lazy.compactMap({ keys[$0] }).first {
        case nil: return nil
        case .voided: return .error("keyVoided")
        case .resultDeleted: return .error("resultDeleted")
        case .used(request, let result): return .appointment(result)
        case .used: return .error("keyReused")
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

    mutating func void(_ key: IdempotencyKey, in salon: SalonID?) -> Outcome {
        for (place, state) in keys where place.key == key {
            if case .voided = state { continue }
            if salon == nil || place.salon == salon { return .error("keyUsed") }
        }
        keys[KeyPlace(key: key, salon: salon)] = .voided
        return .done
    }

    mutating func put(_ salon: Salon, if condition: SalonCondition) -> Outcome {
        guard condition.isMet(by: salons[salon.id]?.version) else {
            return .error("salonConditionFailed")
        }
        var salon = salon
        salon.version = versions[salon.id, default: 0] + 1
        versions[salon.id] = salon.version
        salons[salon.id] = salon
        return .salon(salon)
    }

    mutating func deleteSalon(_ id: SalonID, if condition: SalonCondition) -> Outcome {
        guard let salon = salons[id] else { return .error("salonNotFound") }
        guard condition.isMet(by: salon.version) else { return .error("salonConditionFailed") }
        let isNeeded = appointments.values.contains { stored in
            stored.status == .booked && stored.booking.salonID == id
                && stored.booking.time.instant > now
        }
        if isNeeded { return .error("salonHasBookings") }
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
        } catch let error as StoreError {
            if case .unavailable = error { throw error }
            // The name of an enumeration's case, without its values.
            self = .error("\("\(error)".prefix { $0 != "(" })")
        }
    }
}

extension Allocation {
    fileprivate var staffID: String? { if case .staff(let id) = self { id } else { nil } }
}
