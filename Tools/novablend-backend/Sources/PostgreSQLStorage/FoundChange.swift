import BookingStorage

/// A row that has changed.
struct FoundChange {
    /// The id of the transaction.
    let number: Int64
    /// The place among the rows of the transaction, as in ``ChangePosition``.
    let place: String
    let element: StoredChange.Element
}
