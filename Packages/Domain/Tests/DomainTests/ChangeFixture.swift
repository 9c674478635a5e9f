import Domain
import DomainTestSupport
import Testing

/// The use case that changes appointments, with test doubles. The server has one appointment at
/// noon, with version 1.
struct ChangeFixture {
    let server = BookingAPIStub()
    let cache = ListCacheSpy<Appointment>()
    let clock = ManualClock()
    let journal: InMemoryBookingJournal
    let booking: BookAppointment
    let changing: ChangeAppointment

    static let before = Samples.appointment()
    static let id = "a1-0"

    init(
        _ journal: InMemoryBookingJournal = InMemoryBookingJournal(),
        salon: SalonLookup = .known(Samples.salon()),
        zones: ZonesStub = ZonesStub()
    ) {
        self.journal = journal
        booking = BookAppointment(
            server: server,
            journal: journal,
            cache: cache,
            salons: SalonDirectoryStub(salon),
            zones: zones,
            clock: clock
        )
        changing = ChangeAppointment(booking)
        server.holds(.success([Self.before]))
    }

    static let cancel = ChangeRequest(id: id, kind: .cancel)

    /// A request to move the appointment to `hours` hours after noon.
    static func move(hours: Int64 = 1, version: Int? = nil) -> ChangeRequest {
        let time = Samples.booking(hours: hours).time
        return ChangeRequest(id: id, version: version, kind: .reschedule(to: .wallClock(time)))
    }

    /// The appointment after a change.
    static func after(hours: Int64 = 0, version: Int, isCancelled: Bool = false) -> Appointment {
        var after = before
        after.booking.time = Samples.booking(hours: hours).time
        after.version = version
        after.status = isCancelled ? .cancelled : .booked
        return after
    }

    /// A journal with a pending change under the key `k` that was created `ageSeconds` ago.
    static func pending(
        _ kind: AppointmentChange.Kind,
        ageSeconds: Int64 = 0
    ) -> InMemoryBookingJournal {
        let change = AppointmentChange(id: id, version: 1, kind: kind, before: before)
        return InMemoryBookingJournal([
            BookingIntent(
                key: "k",
                action: .change(change),
                createdAt: ManualClock().now.advanced(bySeconds: -ageSeconds),
                caller: Samples.caller
            )
        ])
    }

    /// The error of a change; nil if it succeeds.
    func error(_ request: ChangeRequest, key: String? = nil) async -> Failure? {
        do {
            _ = try await changing.change(request, key: key)
            return nil
        } catch {
            return error
        }
    }
}
