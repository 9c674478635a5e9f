public import Domain
import Synchronization

/// A ledger that notes what was added, and fails where a test says so.
public final class LedgerSpy: AppointmentLedger {
    private let state = Mutex<(added: [Appointment], failure: CacheError?)>(([], nil))
    private let cached: [Appointment]

    /// Makes a ledger that holds `cached` from the beginning.
    public init(_ cached: [Appointment] = []) { self.cached = cached }

    /// What it held from the beginning, and what was added.
    public func appointments() -> [Appointment] { cached + added }

    /// Makes every addition fail from now on.
    public func fail() {
        state.withLock { $0.failure = CacheError(.insertion, reason: "set by the test") }
    }

    /// What was added, in order.
    public var added: [Appointment] { state.withLock { $0.added } }

    /// Notes the appointment.
    public func add(_ appointment: Appointment) throws(CacheError) {
        let failure = state.withLock { state in
            if state.failure == nil { state.added.append(appointment) }
            return state.failure
        }
        if let failure { throw failure }
    }
}
