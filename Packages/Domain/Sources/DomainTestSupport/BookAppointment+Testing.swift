public import Domain

extension BookAppointment {
    /// Creates the use case with test doubles for the dependencies that a test does not use.
    public init(
        server: any BookingAPI,
        journal: any BookingJournal,
        cache: any ListCache<Appointment> = ListCacheSpy<Appointment>(),
        salons: any SalonDirectory = SalonDirectoryStub(.unknown),
        zones: any ZoneSource = ZonesStub(),
        clock: any WallClock = ManualClock(),
        pauses: any Pausing = PausesSpy(),
        makeKey: @escaping @Sendable () -> String = SequentialKeys().makeKey
    ) {
        self.init(
            server: server,
            journal: journal,
            cache: cache,
            counter: InMemoryChangeCounter(),
            times: ReadSalonTime(salons: salons, zones: zones, clock: clock),
            clock: clock,
            pauses: pauses,
            makeKey: makeKey
        )
    }
}
