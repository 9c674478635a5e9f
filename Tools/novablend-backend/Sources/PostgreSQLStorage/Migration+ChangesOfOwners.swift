extension Migration {
    static let changesOfOwners = Migration(
        number: 8,
        summary: "Find the changes of a salon and of a customer",
        // The first column groups transactions that began one after the other. So bookings change few
        // pages of the indexes, however many salons and customers there are. These are looked up in
        // each group.
        statements: [("salons", "salon_id"), ("callers", "caller")].map { name, owner in
            """
            CREATE INDEX changes_of_\(name)
            ON appointments (\(ChangePosition.group(of: "change")), \(owner), change)
            """
        }
    )
}
