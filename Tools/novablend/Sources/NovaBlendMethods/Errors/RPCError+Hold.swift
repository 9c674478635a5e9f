import Domain
import JSON
import JSONRPC

extension RPCError {
    /// Creates the error of a time that was not held, or of a hold that was not released. Times are
    /// shown on `clock`.
    init(_ error: HoldError, on clock: SalonClock? = nil) {
        switch error {
        case .notHeld(let error): self.init(error.withTimes(on: clock))
        case .tooMany(let reason, let seconds):
            self = ProgramError.tooManyHolds.error(
                "The server grants no hold now: \(reason)",
                advice: "book or release one, or wait",
                retryAfterSeconds: seconds
            )
        case .notFound(let id, let reason):
            self = ProgramError.holdNotFound.error(
                "There is no such hold: \(reason)",
                advice: "\(AppointmentMethods.hold) makes a new one"
            ) { $0.member("holdId", id) }
        case .unsupported(let reason):
            self = ProgramError.holdsUnsupported.error(
                "The server cannot hold times: \(reason)",
                advice: "book without a hold"
            )
        case .inDoubt(let key, let reason, let seconds):
            self = ProgramError.holdInDoubt.error(
                "The time may be held, and such a hold ends by itself: \(reason)",
                advice: "call \(AppointmentMethods.hold) again with this idempotencyKey to get it",
                retryAfterSeconds: seconds
            ) { $0.member("idempotencyKey", key) }
        case .releaseInDoubt(let id, let reason, let seconds):
            self = ProgramError.holdInDoubt.error(
                "The hold may not have been released, but it ends by itself: \(reason)",
                advice: "the same call may be repeated",
                retryAfterSeconds: seconds
            ) { $0.member("holdId", id) }
        }
    }
}
