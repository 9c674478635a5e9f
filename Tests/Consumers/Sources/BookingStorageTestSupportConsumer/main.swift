import BookingStorageTestSupport
import SQLiteStorage

for spec in BookingStoreSpec.all where !spec.needsSharedDatabase {
    try await spec.check { clock in
        try SQLiteBookingStore(path: ":memory:", clock: clock, uptime: clock.uptime)
    }
}
