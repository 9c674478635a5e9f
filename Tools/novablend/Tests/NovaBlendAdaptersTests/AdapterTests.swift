import Contract
import Domain
import DomainTestSupport
import JSON
import Persistence
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("Adapters with real files")
struct AdapterTests {
    private let directory: TemporaryDirectory
    private let booking = BookingRequest(
        salonID: SalonID(high: 1, low: 2),
        time: AppointmentTime(instant: Timestamp(secondsSince1970: 1_729_425_600)),
        phone: "12345"
    )

    init() throws { directory = try TemporaryDirectory() }

    @Test("a payload that violates the contract is a retrieval error and can be deleted")
    func brokenPayload() throws {
        let store = FileSnapshotStore(directory: directory.path)
        let cache = StoredResource<SalonListCodec>(name: "salons", url: nil, store: store)
        try store.replace(
            "salons",
            with: Snapshot(payload: Array("{}".utf8), savedAt: Timestamp(secondsSince1970: 1))
        )
        #expect(throws: StoreError.self) { try cache.retrieve() }
        try cache.delete()
        #expect(try cache.retrieve() == nil)
    }

    @Test(
        "bookings without ids are equal if their salon, time, and phone are equal"
    )
    func cachedAppointments() async throws {
        let path = directory.path
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let cache = StoredResource<AppointmentListCodec>(
                        name: "appointments",
                        url: nil,
                        store: FileSnapshotStore(directory: path)
                    )
                    var own = booking
                    own.phone += number % 4 < 2 ? "1" : "2"
                    own.time = own.time.advanced(byMinutes: 30 * (number / 4))
                    try? cache.add(Appointment(booking: own))
                }
            }
        }
        let store = FileSnapshotStore(directory: directory.path)
        let cache = StoredResource<AppointmentListCodec>(
            name: "appointments",
            url: nil,
            store: store
        )
        #expect(try cache.retrieve()?.value.count == 4)
    }

    @Test("a changed appointment replaces the cached one, but an older version does not")
    func cachedVersions() throws {
        let store = FileSnapshotStore(directory: directory.path)
        let list = StoredResource<AppointmentListCodec>(
            name: "appointments",
            url: nil,
            store: store
        )
        let booked = Appointment(booking: booking, id: "x", version: 1)
        var moved = Appointment(booking: booking, id: "x", version: 2, status: .cancelled)
        moved.booking.time = booking.time.advanced(byMinutes: 30)
        for appointment in [booked, moved, booked] { try list.add(appointment) }
        #expect(try list.retrieve()?.value == [moved])
        moved.version = nil
        try list.add(moved)
        #expect(try list.retrieve()?.value == [moved])
    }

    @Test("own bookings do not make a list complete that was never loaded")
    func gaps() throws {
        let store = FileSnapshotStore(directory: directory.path)
        func cache(_ url: String) -> StoredResource<AppointmentListCodec> {
            StoredResource(name: "appointments", url: url, store: store)
        }
        let (list, other) = (cache("http://a/x"), cache("http://b/x"))
        try list.add(Appointment(booking: booking, id: "1"))
        try list.add(Appointment(booking: booking, id: "2"))
        #expect(try list.retrieve()?.value.count == 2)
        #expect(try list.retrieve()?.isComplete == false)
        let now = Timestamp(secondsSince1970: 1)
        try list.replace(with: CachedValue(value: [], fetchedAt: now))
        try list.add(Appointment(booking: booking, id: "3"))
        #expect(try list.retrieve()?.isComplete == true)
        // The list of a different URL is not a list of this one.
        try other.add(Appointment(booking: booking, id: "4"))
        #expect(try other.retrieve()?.isComplete == false)
    }

    @Test(
        "the URL of an appointment is below the URL of the list",
        arguments: [
            ("7", "http://a/appointments", "http://a/appointments/7"),
            ("7", "http://a/appointments/", "http://a/appointments/7"),
            ("7", "http://a/list?of=me#top", "http://a/list/7?of=me"),
            ("a/b ?#%ü", "http://a/l", "http://a/l/a%2Fb%20%3F%23%25%C3%BC"),
            ("..", "http://a/l", nil), ("", "http://a/l", nil),
        ]
    )
    func address(id: String, list: String, expected: String?) {
        #expect(HTTPBookingAPI.url(of: id, in: list) == expected)
    }
}
