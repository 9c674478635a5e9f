public import Domain

extension BookAppointment {
    /// Composes the use case for a test that is not about pauses or the change counter.
    public init(
        remote: any BookingRemote,
        journal: any BookingJournal,
        ledger: any AppointmentLedger = LedgerSpy(),
        salons: any SalonDirectory = SalonDirectoryStub(.unknown),
        zones: any ZoneSource = ZonesStub(),
        clock: any WallClock = SteppedClock(),
        pauses: any Pausing = PausesSpy(),
        keys: any IdempotencyKeySource = CountedKeys()
    ) {
        self.init(
            remote: remote,
            journal: journal,
            ledger: ledger,
            counter: CountedChanges(),
            salons: salons,
            zones: zones,
            clock: clock,
            pauses: pauses,
            keys: keys
        )
    }
}
