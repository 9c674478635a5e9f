import Contract
import Domain
import DomainTestSupport
import Foundation
import Persistence
import PersistenceTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("A cached list and the URL it came from")
struct StoredURLTests {
    private let store = InMemorySnapshotStore()
    private let appointment = Appointment(
        booking: BookingRequest(
            salonID: SalonID(high: 1, low: 2),
            time: AppointmentTime(instant: Timestamp(secondsSince1970: 1_729_425_600)),
            phone: "12345"
        )
    )

    private func list(_ url: String?) -> StoredResource<AppointmentListCodec> {
        StoredResource(name: "appointments", url: url, store: store)
    }

    private func cached() -> CachedValue<[Appointment]> {
        let fetchedAt = Timestamp(secondsSince1970: 7)
        return CachedValue(value: [appointment], fetchedAt: fetchedAt, validators: "\"v\"\n\u{1}")
    }

    @Test("is read for any spelling of its URL, but not for a different URL")
    func read() throws {
        try list("http://a.example:80/x/").replace(with: cached())
        let same = list("HTTP://A.EXAMPLE/x")
        #expect(try same.retrieve()?.value == [appointment])
        #expect(try same.retrieve()?.validators == cached().validators)
        #expect(same.validators() == cached().validators)
        for other in [list("http://a.example/y"), list(nil)] {
            #expect(try other.retrieve() == nil && other.validators() == nil)
        }
    }

    @Test("that was cached without a URL is not read for a URL")
    func none() throws {
        try list(nil).replace(with: cached())
        #expect(try list(nil).retrieve() != nil)
        #expect(try list("http://a.example/x").retrieve() == nil)
    }

    @Test("that came from a different URL is replaced when a booking is added")
    func cachedAppointments() throws {
        try list("http://a.example/x").replace(with: cached())
        var other = appointment
        other.booking.phone = "67890"
        try list("http://a.example/y/").add(other)
        #expect(try list("http://a.example/y").retrieve()?.value == [other])
        #expect(try list("http://a.example/x").retrieve() == nil)
    }

    @Test("that came from a different URL is not extended by a page")
    func page() throws {
        func movies(_ url: String) -> StoredResource<MovieListCodec> {
            StoredResource(name: "movies", url: url, store: store)
        }
        func movie(_ id: String) -> Movie { Movie(id: id, title: id) }
        func page(_ url: String, after: String?) -> StoredPage<MovieListCodec> {
            StoredPage(list: movies(url), page: Page(after: after, limit: 1))
        }
        let now = Timestamp(secondsSince1970: 7)
        let first = CachedValue(value: [movie("1")], fetchedAt: now)
        let second = CachedValue(value: [movie("2")], fetchedAt: now)
        try page("http://a/m", after: nil).replace(with: first)
        #expect(try movies("http://a/m").retrieve()?.isComplete == false)
        #expect(try movies("http://b/m").retrieve() == nil)
        try page("http://b/m", after: "1").replace(with: second)
        #expect(try movies("http://a/m").retrieve()?.value.map(\.id) == ["1"])
        try page("http://a/m", after: "1").replace(with: second)
        #expect(try movies("http://a/m").retrieve()?.value.map(\.id) == ["1", "2"])
    }
}
