import Contract
import Domain
import Foundation
import JSON
import Testing

@testable import BackendKit

@Suite("The backend's schedule", .timeLimit(.minutes(2)))
struct ScheduleTests {
    private static let id = SalonID(high: 1, low: 1)

    /// Open around the clock, so that only what a test sets is a bound.
    private func salon(minutes: Int = 30, _ set: (inout Salon) -> Void = { _ in }) -> Salon {
        let midnight = TimeOfDay(minuteOfDay: 0)
        var salon = Salon(
            id: Self.id,
            name: "n",
            location: "l",
            hours: OpeningHours(opens: midnight, closes: midnight),
            slotMinutes: minutes
        )
        set(&salon)
        return salon
    }

    /// Tomorrow at midnight UTC, some minutes later.
    private func time(_ minutes: Int, seconds: Int64 = 0) throws -> AppointmentTime {
        let day = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601.year().month().day())
        let midnight = try #require(ISO8601.parse("\(day)T00:00:00Z"))
        let instant = midnight.instant.advanced(bySeconds: seconds)
        return AppointmentTime(instant: instant).advanced(byMinutes: minutes)
    }

    private func book(_ time: AppointmentTime, at backend: Backend) -> Answer? {
        let request = BookingRequest(salonID: Self.id, time: time, phone: "12345")
        let body = String(decoding: BookingRequestCodec.encode(request), as: UTF8.self)
        return exchange(backend.port, "POST /appointments", body: body)
    }

    private func slots(_ backend: Backend, from: AppointmentTime, minutes: Int) throws -> [Slot] {
        let range = [from, from.advanced(byMinutes: minutes)].map {
            ISO8601.format($0).replacing("+", with: "%2B")
        }
        let path = "/salons/\(Self.id)/availability?from=\(range[0])&to=\(range[1])"
        let answer = try #require(exchange(backend.port, "GET \(path)"))
        return try SlotListCodec.decode(Array(answer.body.utf8))
    }

    @Test("a time that begins no slot is refused by its rule, with slots that can be booked")
    func offGrid() throws {
        let backend = try Backend(database: ":memory:", salons: [salon()])
        defer { backend.stop() }
        for (minutes, seconds): (Int, Int64) in [(25, 0), (30, -1), (30, 1)] {
            let answer = try #require(book(try time(minutes, seconds: seconds), at: backend))
            #expect(answer.status == 422)
            let body = try JSONDocument(parsing: Array(answer.body.utf8)).root.object()
            #expect(try body.required("error").string() == "notBookable")
            #expect(try body.required("rule").string() == "offGrid")
            let first = try #require(try body.required("alternatives").array().first { _ in true })
            #expect(book(try AppointmentTimeCodec.read(first), at: backend)?.status == 201)
        }
    }

    @Test("lead time, furthest day and a closed day are respected in lists and in bookings")
    func limits() throws {
        let closed = try time(1_440).localTime.date
        let backend = try Backend(
            database: ":memory:",
            salons: [
                salon {
                    $0.furthestDays = 2
                    $0.exceptions = [OpeningException(date: closed, hours: nil)]
                }
            ]
        )
        defer { backend.stop() }
        #expect(book(try time(0), at: backend)?.status == 201)
        let refusals = [(1_440, "closed on \(closed)"), (2 * 1_440, "tooFarAhead")]
        for (minutes, told) in refusals {
            let answer = try #require(book(try time(minutes), at: backend))
            #expect(answer.status == 422 && answer.body.contains(told), "\(answer)")
        }
        let slots = try slots(backend, from: try time(0), minutes: 3 * 1_440)
        #expect(slots.filter(\.isAvailable).count == 47)
    }

    @Test("a booking of a longer slot of before blocks the shorter ones that it overlaps")
    func overlaps() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/novablend-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/db.sqlite"
        let hourly = try Backend(database: path, salons: [salon(minutes: 60)])
        #expect(book(try time(60), at: hourly)?.status == 201)
        hourly.stop()
        let quarterly = try Backend(database: path, salons: [salon(minutes: 15)])
        for minutes in [60, 75, 105] {
            #expect(book(try time(minutes), at: quarterly)?.status == 409)
        }
        let list = try slots(quarterly, from: try time(30), minutes: 120)
        #expect(list.map(\.isAvailable) == [true, true, false, false, false, false, true, true])
        #expect(book(try time(75 - 30), at: quarterly)?.status == 201)
        quarterly.stop()
        let again = try Backend(database: path, salons: [salon(minutes: 60)])
        defer { again.stop() }
        #expect(book(try time(0), at: again)?.status == 409)
        #expect(book(try time(120), at: again)?.status == 201)
    }

    @Test(
        "a database of before bookings had a length is taken over, its bookings half an hour each"
    )
    func olderDatabase() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/novablend-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/db.sqlite"
        let booked = try time(60)
        do {
            let database = try Database(path: path)
            _ = try database.query(
                """
                CREATE TABLE appointments (
                    id TEXT PRIMARY KEY, salon_id TEXT NOT NULL, instant INTEGER NOT NULL,
                    offset_minutes INTEGER NOT NULL, phone TEXT NOT NULL, email TEXT, notes TEXT,
                    version INTEGER NOT NULL, UNIQUE (salon_id, instant)
                ) STRICT
                """
            )
            _ = try database.query(
                "INSERT INTO appointments VALUES ('a', ?, ?, 0, '12345', NULL, NULL, 1)",
                [.text(Self.id.description), .integer(booked.instant.secondsSince1970)]
            )
        }
        for _ in 0..<2 {
            let backend = try Backend(database: path, salons: [salon(minutes: 15)])
            defer { backend.stop() }
            #expect(book(try time(75), at: backend)?.status == 409)
            let slots = try slots(backend, from: try time(45), minutes: 60)
            #expect(slots.map(\.isAvailable) == [true, false, false, true])
        }
    }

    @Test("clocks of other offsets cut other slots, and still none is sold twice")
    func offsets() throws {
        let backend = try Backend(database: ":memory:", salons: [salon()])
        defer { backend.stop() }
        #expect(book(try time(60), at: backend)?.status == 201)
        // 06:30 in Kathmandu, 15 minutes before the booking above begins.
        var overlapping = try time(45)
        overlapping.offsetMinutes = 345
        #expect(book(overlapping, at: backend)?.status == 409)
    }

    @Test("a salon is listed and booked on the clock of its zone, whatever offset is asked in")
    func zone() throws {
        let backend = try Backend(
            database: ":memory:",
            salons: [
                salon {
                    $0.timeZone = ZoneID("Asia/Kathmandu")
                    $0.hours = OpeningHours(
                        opens: TimeOfDay(minuteOfDay: 540),
                        closes: TimeOfDay(minuteOfDay: 600)
                    )
                }
            ]
        )
        defer { backend.stop() }
        let slots = try slots(backend, from: try time(0), minutes: 1_440)
        #expect(
            slots.map { ISO8601.format($0.start).suffix(13) } == ["09:00:00+0545", "09:30:00+0545"]
        )
        #expect(book(try time(195), at: backend)?.status == 201)
        #expect(book(try time(540), at: backend)?.body.contains("outsideOpeningHours") == true)
    }
}
