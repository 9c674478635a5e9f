import Persistence

/// The reason of the `StoreError` that `body` throws; nil if it throws none.
func reason(_ body: () throws -> Void) -> StoreError.Reason? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StoreError)?.reason
    }
}

extension StoreError.Reason {
    var isDamage: Bool { if case .damaged = self { true } else { false } }
}
