public import Domain
import Synchronization

/// A cache of appointments that records additions and can fail.
public final class AppointmentCacheSpy: AppointmentCache {
    private let state = Mutex<(added: [Appointment], failure: CacheError?)>(([], nil))
    private let cached: [Appointment]

    /// Creates a cache that contains `cached`.
    public init(_ cached: [Appointment] = []) { self.cached = cached }

    /// The initial and the added appointments.
    public func appointments() -> [Appointment] { cached + added }

    /// Makes every addition fail from now on.
    public func fail() {
        state.withLock { $0.failure = CacheError(.insertion, reason: "set by the test") }
    }

    /// The added appointments, in order.
    public var added: [Appointment] { state.withLock { $0.added } }

    /// Records the appointment.
    public func add(_ appointment: Appointment) throws(CacheError) {
        let failure = state.withLock { state in
            if state.failure == nil { state.added.append(appointment) }
            return state.failure
        }
        if let failure { throw failure }
    }
}
