public import Domain

extension BookAppointment {
    /// Composes the use case for a test that is not about pauses or the change counter.
    public init(
        server: any BookingAPI,
        journal: any BookingJournal,
        cache: any AppointmentCache = AppointmentCacheSpy(),
        salons: any SalonDirectory = SalonDirectoryStub(.unknown),
        zones: any ZoneSource = ZonesStub(),
        clock: any WallClock = SteppedClock(),
        pauses: any Pausing = PausesSpy(),
        keys: any IdempotencyKeySource = CountedKeys()
    ) {
        self.init(
            server: server,
            journal: journal,
            cache: cache,
            counter: CountedChanges(),
            salons: salons,
            zones: zones,
            clock: clock,
            pauses: pauses,
            keys: keys
        )
    }
}
