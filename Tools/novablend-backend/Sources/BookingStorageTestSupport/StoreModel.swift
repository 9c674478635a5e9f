import BookingStorage
import Domain

/// A store as simple as possible, for comparison.
struct StoreModel {
    /// The result of a call.
    enum Outcome: Equatable {
        case appointment(StoredAppointment)
        case salon(Salon)
        case done
        /// The name of an error.
        case error(String)
    }

    private enum KeyState {
        case voided
        case used(KeyedRequest, StoredAppointment)
    }

    private struct KeyPlace: Hashable {
        var key: IdempotencyKey
        /// Nil for all salons.
        var salon: SalonID?
    }

    var now: Timestamp
    private(set) var appointments: [String: StoredAppointment] = [:]
    private(set) var salons: [SalonID: Salon] = [:]
    private var versions: [SalonID: Int] = [:]
    private var keys: [KeyPlace: KeyState] = [:]

    init(now: Timestamp) { self.now = now }

    /// Books with the id that the store has assigned, if it has.
    mutating func book(
        _ booking: BookingRequest,
        _ minutes: Int,
        _ request: KeyedRequest?,
        id: String
    ) -> Outcome {
        if let earlier = earlierOutcome(of: request, in: booking.salonID) { return earlier }
        guard salons[booking.salonID] != nil else { return .error("salonNotFound") }
        let stored = StoredAppointment(
            id: id,
            booking: booking,
            minutes: minutes,
            idempotencyKey: request?.key.text
        )
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
        do {
            _ = try edit(&stored, salons[stored.booking.salonID])
        } catch {
            return .error("rejected")
        }
        stored.version += 1
        return store(stored, request)
    }

    private func earlierOutcome(of request: KeyedRequest?, in salon: SalonID) -> Outcome? {
        guard let request else { return nil }
        let places = [salon, nil].map { KeyPlace(key: request.key, salon: $0) }
        switch places.lazy.compactMap({ keys[$0] }).first {
        case nil: return nil
        case .voided: return .error("keyVoided")
        case .used(request, let result): return .appointment(result)
        case .used: return .error("keyReused")
        }
    }

    private mutating func store(
        _ stored: StoredAppointment,
        _ request: KeyedRequest?
    ) -> Outcome {
        let salon = stored.booking.salonID
        let isTaken = appointments.values.contains { other in
            other.status == .booked && other.booking.salonID == salon && other.id != stored.id
                && other.interval.start < stored.interval.end
                && stored.interval.start < other.interval.end
        }
        if stored.status == .booked, isTaken { return .error("slotUnavailable") }
        appointments[stored.id] = stored
        if let request { keys[KeyPlace(key: request.key, salon: salon)] = .used(request, stored) }
        return .appointment(stored)
    }

    mutating func void(_ key: IdempotencyKey, in salon: SalonID?) -> Outcome {
        for (place, state) in keys where place.key == key {
            if case .used = state, salon == nil || place.salon == salon { return .error("keyUsed") }
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
    init(_ call: () async throws(StoreError) -> StoreModel.Outcome) async throws {
        do throws(StoreError) {
            self = try await call()
        } catch {
            if case .unavailable = error { throw error }
            // The name of an enumeration's case, without its values.
            self = .error("\("\(error)".prefix { $0 != "(" })")
        }
    }
}
