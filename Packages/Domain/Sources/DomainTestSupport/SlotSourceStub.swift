public import Domain
import Synchronization

/// A remote that offers what a test sets, within the range that is asked for.
public final class SlotSourceStub: SlotSource {
    private let answer: Mutex<Result<OfferedSlots, RemoteError>>

    /// Makes a remote that gives `answer`.
    public init(_ answer: Result<OfferedSlots, RemoteError>) {
        self.answer = Mutex(answer)
    }

    /// Gives those of the slots that were set which begin within the range.
    public func slots(
        of id: SalonID,
        from: AppointmentTime,
        to: AppointmentTime
    ) async throws(RemoteError) -> OfferedSlots {
        let set = try answer.withLock { $0 }.get()
        guard case .slots(let slots) = set else { return set }
        return .slots(
            slots.filter { $0.start.instant >= from.instant && $0.start.instant < to.instant }
        )
    }
}
