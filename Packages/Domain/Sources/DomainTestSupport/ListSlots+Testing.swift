public import Domain

extension ListSlots {
    /// Creates the use case with a server that returns `appointments`, and with no cached ones.
    public init(
        server: any SlotSource,
        appointments: Result<[Appointment], Failure> = .success([]),
        journal: InMemoryBookingJournal = InMemoryBookingJournal(),
        ownHolds: OwnHolds = OwnHolds(),
        salons: any SalonDirectory = SalonDirectoryStub(.known(Samples.salon())),
        zones: any ZoneSource = ZonesStub(),
        clock: any WallClock = ManualClock()
    ) {
        self.init(
            server: server,
            appointments: ResourceLoader(
                policy: .appointments,
                server: ResourceAPIStub(appointments),
                cache: CacheSpy(),
                clock: clock,
                emptyValue: []
            ),
            ownBookings: OwnBookings(journal: journal, server: BookingAPIStub()),
            ownHolds: ownHolds,
            salons: salons,
            zones: zones,
            clock: clock
        )
    }
}
