public import Domain
import Synchronization

/// A server that returns those of a test's slots that are in the requested range.
public final class SlotSourceStub: SlotSource {
    private let answer: Mutex<Result<OfferedSlots, ServerError>>

    /// Creates a server that returns `answer`.
    public init(_ answer: Result<OfferedSlots, ServerError>) {
        self.answer = Mutex(answer)
    }

    /// Returns the slots that start within the range.
    public func slots(
        of id: SalonID,
        from: AppointmentTime,
        to: AppointmentTime,
        options: BookingOptions,
        isExplained: Bool
    ) async throws(ServerError) -> OfferedSlots {
        let set = try answer.withLock { $0 }.get()
        guard case .slots(let slots) = set else { return set }
        return .slots(
            slots.filter { $0.start.instant >= from.instant && $0.start.instant < to.instant }
        )
    }
}
