import Domain
import DomainTestSupport

/// The use case that changes salons, with test doubles for all ports.
struct ChangeSalonFixture {
    let server: SalonAPIStub
    let bookings = BookingAPIStub()
    let cache = ListCacheSpy([ChangeSalonFixture.stored])
    let counter = InMemoryChangeCounter()
    let directory: SalonDirectoryStub
    let changing: ChangeSalon

    /// The salon that the server stores, in version 3.
    static var stored: Salon {
        var salon = Samples.salon()
        salon.version = 3
        return salon
    }

    /// The stored salon with later opening hours and no version.
    static var requested: Salon {
        var salon = Samples.salon()
        salon.hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 600),
            closes: TimeOfDay(minuteOfDay: 1_200)
        )
        return salon
    }

    /// `requested` in the version that the server assigns to it.
    static var changed: Salon {
        var salon = requested
        salon.version = 4
        return salon
    }

    init(
        _ server: SalonAPIStub,
        listing: SalonLookup = .absent,
        zones: ZonesStub = ZonesStub()
    ) {
        self.server = server
        directory = SalonDirectoryStub(listing)
        changing = ChangeSalon(
            server: server,
            appointments: bookings,
            cache: cache,
            counter: counter,
            salons: directory,
            zones: zones,
            clock: ManualClock()
        )
    }

    /// A fixture whose server stores `stored`.
    init() { self.init(SalonAPIStub(Self.stored)) }

    func put(_ salon: Salon = requested, version: Int? = nil) async throws(Failure)
        -> SalonChange
    {
        try await changing.change(.put(salon), version: version)
    }

    func delete(version: Int? = nil) async throws(Failure) -> SalonChange {
        try await changing.change(.delete(Samples.salonID()), version: version)
    }

    /// The error of `body`; nil if it succeeds.
    static func error(of body: () async throws -> SalonChange) async -> Failure? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? Failure
        }
    }
}
