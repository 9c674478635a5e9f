import BookingStorage

extension Migration {
    static let requestsOfHolds = Migration(
        number: 10,
        summary: "Compare repeated requests for holds by their bodies"
    ) { database, _ throws(StorageFailure) in
        try database.execute("ALTER TABLE holds ADD COLUMN body_fingerprint INTEGER")
    }
}
