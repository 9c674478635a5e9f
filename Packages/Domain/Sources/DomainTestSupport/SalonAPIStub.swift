public import Domain
import Synchronization

/// A salon server that stores salons in memory and returns the failures that a test sets.
public final class SalonAPIStub: SalonAPI {
    /// A request that changes a salon.
    public enum Change: Sendable, Hashable {
        /// A salon was put. The tag is that of the replaced salon, or nil.
        case put(Salon, ifMatch: String?)
        /// A salon was deleted.
        case delete(SalonID, ifMatch: String?)
    }

    /// What happens to the next change.
    public enum Fault: Sendable {
        /// The change is not carried out.
        case rejected(AttemptError)
        /// The change is carried out, and its response is lost or unclear.
        case lost(AttemptError)
        /// The change is carried out, and the server stores a different salon than requested.
        case storesInstead(Salon)
    }

    private struct State {
        var stored: [SalonID: StoredSalon] = [:]
        var lookups: [Result<StoredSalonLookup, Failure>] = []
        var fault: Fault?
        var sent: [Change] = []
        var beforeSending: (@Sendable () -> Void)?
        var moved: Int?
    }

    private let state = Mutex(State())

    /// Creates a server that stores `salons`, each with its version as its entity tag.
    public init(_ salons: Salon...) { for salon in salons { store(salon) } }

    /// Stores a salon, as a different client would.
    public func store(_ salon: Salon) {
        let tag = salon.version.map { "\"\($0)\"" }
        state.withLock { $0.stored[salon.id] = StoredSalon(salon, entityTag: tag) }
    }

    /// Sets the results of the next lookups; later ones return the stored salon.
    public func lookups(_ results: Result<StoredSalonLookup, Failure>...) {
        state.withLock { $0.lookups = results }
    }

    /// Sets what happens to the next change.
    public func fault(_ fault: Fault) { state.withLock { $0.fault = fault } }

    /// Sets how many appointments the server moves if it is asked to; nil if it does not know how.
    public func moves(_ count: Int?) { state.withLock { $0.moved = count } }

    /// Sets an action that runs when the next change is sent. It may use this server.
    public func beforeSending(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeSending = action }
    }

    /// The changes that were sent, in order.
    public var sent: [Change] { state.withLock(\.sent) }

    /// Returns the result that was set, or the stored salon.
    public func salon(_ id: SalonID) async throws(Failure) -> StoredSalonLookup {
        if Task.isCancelled { throw .cancelled }
        let result: Result<StoredSalonLookup, Failure> = state.withLock { state in
            if !state.lookups.isEmpty { return state.lookups.removeFirst() }
            return .success(state.stored[id].map { .stored($0) } ?? .absent)
        }
        return try result.get()
    }

    /// Records the request and stores the salon with the next version.
    public func put(
        _ salon: Salon,
        replacing current: StoredSalon?,
        keepsWallClock: Bool
    ) async throws(AttemptError) -> ConfirmedSalon {
        let tag = current?.entityTag
        let fault = try begin(.put(salon, ifMatch: tag))
        var stored = salon
        if case .storesInstead(let other) = fault { stored = other }
        let earlier = try check(tag, salon.id)
        stored.version = (earlier?.salon.version ?? 0) + 1
        store(stored)
        if case .lost(let error) = fault { throw error }
        return ConfirmedSalon(stored, moved: keepsWallClock ? state.withLock(\.moved) : nil)
    }

    /// Records the request and deletes the salon.
    public func delete(_ current: StoredSalon) async throws(AttemptError) {
        let id = current.salon.id
        let fault = try begin(.delete(id, ifMatch: current.entityTag))
        _ = try check(current.entityTag, id)
        state.withLock { $0.stored[id] = nil }
        if case .lost(let error) = fault { throw error }
    }

    /// Records a change. Throws if it is not carried out.
    private func begin(_ change: Change) throws(AttemptError) -> Fault? {
        let action = state.withLock { state in
            defer { state.beforeSending = nil }
            return state.beforeSending
        }
        action?()
        let fault = state.withLock { state in
            state.sent.append(change)
            defer { state.fault = nil }
            return state.fault
        }
        if case .rejected(let error) = fault { throw error }
        return fault
    }

    /// The stored salon. Throws if it does not have the tag.
    private func check(_ tag: String?, _ id: SalonID) throws(AttemptError) -> StoredSalon? {
        let stored = state.withLock { $0.stored[id] }
        if stored?.entityTag != tag { throw .versionConflict(reason: "412") }
        return stored
    }
}
