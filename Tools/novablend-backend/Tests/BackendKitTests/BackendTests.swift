import BackendKit
import BookingStorageTestSupport
import Contract
import Domain
import Foundation
import JSON
import Testing

@Suite("The reference backend", .timeLimit(.minutes(10)))
final class BackendTests {
    private let backend: Backend
    private let salon = "5a100000-0000-4000-8000-000000000001"

    init() throws {
        backend = try Backend(database: ":memory:")
    }

    deinit { backend.stop() }

    /// Tomorrow at `hour` o'clock UTC.
    private static func time(_ hour: Int) -> String {
        let day = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601.year().month().day())
        return "\(day)T\(hour < 10 ? "0" : "")\(hour):00:00+0000"
    }

    private func booking(_ hour: Int = 12, phone: String = "12345") -> String {
        #"{"salonId":"\#(salon)","appointmentTime":"\#(Self.time(hour))","phone":"\#(phone)"}"#
    }

    private func book(_ body: String, key: String? = nil) -> Response? {
        let headers = key.map { ["Idempotency-Key: \($0)"] } ?? []
        return exchange(backend.port, "POST /appointments", headers: headers, body: body)
    }

    @Test(
        "stores phone numbers and email addresses as they were meant, and finds them by their digits"
    )
    func contacts() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        for (minutes, phone, email, stored) in [
            (0, #"\u202d+49\u00a030\u20111234567\u202c"#, #""""#, "+49 30-1234567"),
            (30, "tel:+49301234567;ext=12", #"" ada@example.com ""#, "+49301234567 ext. 12"),
            (60, "٠٣٠ ١٢٣٤٥٦٧", "null", "030 1234567"),
        ] {
            let time = ISO8601.format(try AlwaysOpenBackend.time(minutes))
            let body =
                #"{"salonId":"\#(AlwaysOpenBackend.id)","appointmentTime":"\#(time)","#
                + #""phone":"\#(phone)","email":\#(email)}"#
            let response = exchange(server.port, "POST /appointments", body: body)
            let booked = try #require(response).appointment().booking
            #expect(booked.phone == stored)
            #expect(booked.email == (minutes == 30 ? "ada@example.com" : nil))
        }
        let time = ISO8601.format(try AlwaysOpenBackend.time(90))
        let body =
            #"{"salonId":"\#(AlwaysOpenBackend.id)","appointmentTime":"\#(time)","phone":"12"}"#
        let rejected = try #require(exchange(server.port, "POST /appointments", body: body))
        #expect(rejected.status == 422)
        let reason =
            "phone must be a phone number like +49 30 1234567, and has 2 digits instead of 5 to 15"
        #expect(try rejected.message() == reason)
    }

    @Test("GET /salons returns the sample salons in the contract's format")
    func salons() throws {
        let response = try #require(exchange(backend.port, "GET /salons"))
        #expect(response.status == 200)
        let salons = SampleSalons.all.map { salon in
            var salon = salon
            salon.version = 1
            return salon
        }
        #expect(try SalonListCodec.decode(Array(response.body.utf8)) == salons)
    }

    @Test("feed, movies, and menu have the contract's format, and their images are served")
    func lists() throws {
        let feed = try #require(exchange(backend.port, "GET /feed", headers: ["Host: localhost:5"]))
        let images = try FeedCodec.decode(Array(feed.body.utf8))
        #expect(images.count == 7)
        #expect(images.first?.url.description == "http://localhost:5/images/copper.png")
        let menu = try #require(exchange(backend.port, "GET /menu"))
        #expect(try MenuCodec.decode(Array(menu.body.utf8)).count == 4)
        let movies = try #require(exchange(backend.port, "GET /movies"))
        #expect(try MovieListCodec.decode(Array(movies.body.utf8)).count == 3)
        for name in Set(images.map { $0.url.description.split(separator: "/").last ?? "" }) {
            let image = try #require(exchange(backend.port, "GET /images/\(name)"))
            #expect(image.status == 200 && image.header("content-type") == "image/png")
        }
        #expect(exchange(backend.port, "GET /images/none.png")?.status == 404)
        #expect(exchange(backend.port, "GET /images/copper")?.status == 404)
    }

    @Test("pages that continue after the last id of the previous page make up the list")
    func pages() throws {
        let whole = try #require(exchange(backend.port, "GET /feed"))
        var (pages, after) = ([FeedImage](), "")
        repeat {
            let response = try #require(exchange(backend.port, "GET /feed?limit=3\(after)"))
            let page = try FeedCodec.decode(Array(response.body.utf8))
            #expect(page.count <= 3)
            pages += page
            after = page.last.map { "&after=\($0.id)" } ?? ""
        } while !after.isEmpty
        #expect(try FeedCodec.decode(Array(whole.body.utf8)) == pages)
        for query in [
            "limit=0", "limit=x", "after=x", "after=5a100000-0000-4000-8000-000000000001",
        ] {
            #expect(exchange(backend.port, "GET /feed?\(query)")?.status == 422, "\(query)")
        }
    }

    @Test("an invalid Host field is not repeated in URLs")
    func host() throws {
        let response = try #require(
            exchange(backend.port, "GET /feed", headers: ["Host: evil/\"x"])
        )
        #expect(!response.body.contains("evil"))
    }

    @Test("an unchanged list is not sent again, but a changed list is")
    func conditional() throws {
        let first = try #require(exchange(backend.port, "GET /appointments"))
        let tag = try #require(first.header("etag"))
        let known = ["If-None-Match: \"other\", W/\(tag)"]
        let again = try #require(exchange(backend.port, "GET /appointments", headers: known))
        #expect(again.status == 304 && again.body.isEmpty && again.header("etag") == tag)
        #expect(book(booking())?.status == 201)
        let changed = try #require(exchange(backend.port, "GET /appointments", headers: known))
        #expect(changed.status == 200 && changed.header("etag") != tag)
    }

    @Test("the response to a booking has an id and a version, and the list contains the booking")
    func echo() throws {
        let response = try #require(book(booking()))
        #expect(response.status == 201)
        let echoed = try AppointmentCodec.decode(Array(response.body.utf8))
        #expect(echoed.id != nil && echoed.version == 1)
        let list = try #require(exchange(backend.port, "GET /appointments"))
        #expect(try AppointmentListCodec.decode(Array(list.body.utf8)) == [echoed])
    }

    @Test("if 200 clients race for a slot, one books it and 199 get a conflict")
    func race() async {
        let port = backend.port
        let bodies = (0..<200).map { booking(phone: "555\(1_000 + $0)") }
        let responses = await concurrentResponses(
            bodies.map { body in { exchange(port, "POST /appointments", body: body) } }
        )
        let statuses = responses.reduce(into: [:]) { $0[$1?.status ?? 0, default: 0] += 1 }
        #expect(statuses == [201: 1, 409: 199])
    }

    @Test("the same key and body return the first response again; a different body is an error")
    func idempotency() throws {
        let first = try #require(book(booking(), key: "k"))
        let second = try #require(book(booking(), key: "k"))
        #expect(second.status == first.status && second.body == first.body)
        let other = try #require(book(booking(13), key: "k"))
        #expect(other.status == 422 && other.body.contains("idempotencyConflict"))
        let list = try #require(exchange(backend.port, "GET /appointments"))
        #expect(try AppointmentListCodec.decode(Array(list.body.utf8)).count == 1)
    }

    @Test("bookings and keys survive a restart with the same file")
    func restart() throws {
        let database = try TemporaryDatabase()
        let first = try Backend(database: database.path)
        let header = ["Idempotency-Key: k"]
        let before = exchange(
            first.port,
            "POST /appointments",
            headers: header,
            body: booking()
        )
        first.stop()
        let second = try Backend(database: database.path)
        defer { second.stop() }
        let after = exchange(second.port, "POST /appointments", headers: header, body: booking())
        #expect(before?.status == 201 && before?.body == after?.body)
        #expect(exchange(second.port, "POST /appointments", body: booking())?.status == 409)
    }

    @Test("availability splits the opening hours into slots and marks the booked ones")
    func availability() throws {
        _ = book(booking(12))
        let escaped = [Self.time(9), Self.time(14)].map { $0.replacing("+", with: "%2B") }
        let path = "/salons/\(salon)/availability?start=\(escaped[0])&end=\(escaped[1])"
        let response = try #require(exchange(backend.port, "GET \(path)"))
        let slots = try SlotListCodec.decode(Array(response.body.utf8)).slots
        #expect(slots.count == 9)
        #expect(slots.first?.start.timeOfDay.description == "09:30")
        #expect(slots.filter { !$0.isAvailable }.map(\.start.timeOfDay.description) == ["12:00"])
    }

    @Test("a salon that is open past midnight has slots before and after midnight")
    func pastMidnight() throws {
        let nightOwl = salon.dropLast() + "5"
        let from = Self.time(23)
        let time = try #require(ISO8601.parse(from))
        let to = ISO8601.format(time.advanced(byMinutes: 240)).replacing("+", with: "%2B")
        let path =
            "/salons/\(nightOwl)/availability?start=\(from.replacing("+", with: "%2B"))&end=\(to)"
        let response = try #require(exchange(backend.port, "GET \(path)"))
        let slots = try SlotListCodec.decode(Array(response.body.utf8)).slots
        #expect(slots.map(\.start.timeOfDay.description).suffix(2) == ["01:00", "01:30"])
    }

    @Test(
        "an invalid booking is rejected with a reason",
        arguments: [
            ("{", 422, "invalidBooking"), ("<html>", 422, "not JSON"), ("{}", 422, "salonId"),
            (#"{"salonId":"x","appointmentTime":"y","phone":"z"}"#, 422, "salonId"),
            (
                #"{"salonId":"00000000-0000-4000-8000-000000000000","appointmentTime":"2999-01-01T12:00:00Z","phone":"12345"}"#,
                404, "salonNotFound"
            ),
            (
                #"{"salonId":"5a100000-0000-4000-8000-000000000001","appointmentTime":"2999-01-01T03:00:00Z","phone":"12345"}"#,
                422, "outsideOpeningHours"
            ),
            (
                #"{"salonId":"5a100000-0000-4000-8000-000000000001","appointmentTime":"2999-01-01T12:00:00Z","phone":"x"}"#,
                422, "phone"
            ),
            (
                #"{"salonId":"5a100000-0000-4000-8000-000000000001","appointmentTime":"2001-01-01T12:00:00Z","phone":"12345"}"#,
                422, "appointmentTime"
            ),
        ]
    )
    func rejections(body: String, status: Int, text: String) throws {
        let response = try #require(book(body))
        #expect(response.status == status && response.body.contains(text), "\(response)")
    }

    @Test("a body over the limit returns 413, an unknown path 404, and a wrong method 405")
    func limits() {
        let large = String(repeating: "x", count: 65 << 10)
        #expect(book(large)?.status == 413)
        #expect(exchange(backend.port, "GET /nothing")?.status == 404)
        #expect(exchange(backend.port, "DELETE /salons")?.status == 405)
        #expect(exchange(backend.port, "GET /health")?.status == 200)
        #expect(book(booking(), key: String(repeating: "k", count: 256))?.status == 422)
    }

    @Test("the backend does not start if the database cannot be opened or the port is in use")
    func startFailures() {
        #expect(throws: Backend.StartFailure.self) {
            try Backend(database: "/proc/none/db.sqlite")
        }
        #expect(throws: Backend.StartFailure.self) {
            try Backend(database: ":memory:", port: backend.port)
        }
    }
}
