import Contract
import Domain
import DomainTestSupport
import JSON
import Networking
import Persistence
import PersistenceTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("The size of payloads")
struct PayloadSizeTests {
    /// An empty list, padded with spaces beyond the default size limit.
    private let long: [UInt8] = {
        let space = [UInt8](repeating: 0x20, count: JSONLimits().maximumBytes)
        return Array(#"{"appointments":[]"#.utf8) + space + [UInt8(ascii: "}")]
    }()

    private var appointment: Appointment {
        Appointment(
            booking: BookingRequest(
                salonID: SalonID(high: 1, low: 2),
                time: AppointmentTime(instant: Timestamp(secondsSince1970: 5)),
                phone: "12345"
            ),
            id: "x",
            version: 1
        )
    }

    @Test("a cached list of any size can be read and extended")
    func list() throws {
        let store = InMemorySnapshotStore()
        try store.replace(
            "appointments",
            with: Snapshot(payload: long, savedAt: Timestamp(secondsSince1970: 1))
        )
        let list = StoredResource<AppointmentListCodec>(
            name: "appointments",
            url: nil,
            store: store
        )
        #expect(try list.retrieve()?.value == [])
        try list.add(appointment)
        #expect(try list.retrieve()?.value == [appointment])
    }

    @Test("a page can be added to a cached list of any size")
    func page() throws {
        let store = InMemorySnapshotStore()
        let movie = Movie(id: "1", title: "t")
        let text = Array(MovieListCodec.encode([movie]).dropLast()) + long.dropFirst(18)
        try store.replace(
            "movies",
            with: Snapshot(payload: text, savedAt: Timestamp(secondsSince1970: 1))
        )
        let list = StoredResource<MovieListCodec>(name: "movies", url: nil, store: store)
        let next = Movie(id: "2", title: "t")
        try StoredPage(list: list, page: Page(after: "1", limit: 1)).replace(
            with: CachedValue(value: [next], fetchedAt: Timestamp(secondsSince1970: 2))
        )
        #expect(try list.retrieve()?.value == [movie, next])
    }

    @Test("an error names the option that raises the limit only if the option applies")
    func remedy() {
        let error = HTTPClientError(.bodyTooLarge(limit: 5))
        let list = Failure(error, ifTooLarge: "the remedy")
        #expect(list.description.contains("5 bytes") && list.description.hasSuffix("; the remedy"))
        #expect(Failure(error) == .invalidData(reason: error.description))
    }

    @Test("a change has the default limit, even if lists may be larger")
    func change() {
        let request = HTTPRequest(method: .post, url: "http://a").sentOnce
        #expect(request.maximumResponseBytes == HTTPLimits().maximumBodyBytes)
        #expect(request.usesFreshConnection)
    }
}
