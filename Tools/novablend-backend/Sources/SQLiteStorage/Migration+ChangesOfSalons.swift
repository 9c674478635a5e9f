import BookingStorage

extension Migration {
    static let changesOfSalons = Migration(
        number: 9,
        summary: "Find the changes of a salon"
    ) { database, _ throws(StorageFailure) in
        // The first column groups 1,024 changes that were made one after the other. So the bookings of
        // a transaction change few pages of the index, however many salons there are. Salons are
        // looked up in each group.
        try database.execute(
            """
            CREATE INDEX changes_of_salons
            ON appointments (change >> \(AppointmentRows.changeGroupBits), salon_id, change)
            """
        )
    }
}
