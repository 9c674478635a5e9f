import BookingStorage
import Domain
import DomainTestSupport
import SQLiteStorage

let store = try SQLiteBookingStore(path: ":memory:", clock: ManualClock())
_ = try await store.importSalons([Samples.salon()])
let stored = try await store.salon(Samples.salonID())
precondition(stored?.version == 1)
store.close()
