import Contract
import Domain
import Testing

@Suite("Text in the database", .timeLimit(.minutes(10)))
struct StoredTextTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    @Test("notes with a NUL are stored completely")
    func notes() throws {
        let time = ISO8601.format(try AlwaysOpenBackend.time(60))
        let body = """
            {"salonId":"\(AlwaysOpenBackend.id)","appointmentTime":"\(time)","phone":"12345",\
            "notes":"a\\u0000b\\u0000"}
            """
        let response = try #require(exchange(server.port, "POST /appointments", body: body))
        let booked = try response.appointment()
        #expect(booked.booking.note == "a\u{0}b\u{0}")
        #expect(try server.appointments().map(\.booking.note) == ["a\u{0}b\u{0}"])
        let moved = server.patch(booked.id, to: try AlwaysOpenBackend.time(120))
        #expect(try #require(moved).appointment().booking.note == "a\u{0}b\u{0}")
    }

    @Test("an encoded NUL in a path or a query value is rejected")
    func url() throws {
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        #expect(server.get(booked.id)?.status == 200)
        #expect(server.get(booked.id.map { $0 + "%00x" })?.status == 400)
        #expect(server.delete(booked.id.map { $0 + "%00" })?.status == 400)
        #expect(exchange(server.port, "GET /feed?limit=3%00x")?.status == 400)
        #expect(exchange(server.port, "GET /feed?limit=%33")?.status == 200)
    }
}
