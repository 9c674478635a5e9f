import Persistence

/// The reason of the error that `body` throws; nil if it throws none.
func reason(_ body: () throws(StoreError) -> Void) -> StoreError.Reason? {
    do {
        try body()
        return nil
    } catch {
        return error.reason
    }
}

extension StoreError.Reason {
    var isDamage: Bool { if case .damaged = self { true } else { false } }
}
