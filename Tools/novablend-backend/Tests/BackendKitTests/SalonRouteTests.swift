import BackendKit
import Contract
import Domain
import JSON
import Testing

@Suite("Salons over HTTP", .timeLimit(.minutes(10)))
struct SalonRouteTests {
    private let server: AlwaysOpenBackend
    private static let newID = SalonID(high: 7, low: 7)

    init() throws { server = try AlwaysOpenBackend() }

    private func salon(_ id: SalonID = newID, _ set: (inout Salon) -> Void = { _ in }) -> Salon {
        AlwaysOpenBackend.salon { salon in
            salon.id = id
            set(&salon)
        }
    }

    private func send(
        _ method: String,
        _ id: SalonID = newID,
        _ headers: String...,
        salon: Salon? = nil
    ) throws -> Response {
        let body = salon.map { String(decoding: SalonCodec.encode($0), as: UTF8.self) } ?? ""
        let line = "\(method) /salons/\(id)"
        return try #require(exchange(server.port, line, headers: headers, body: body))
    }

    private func stored(_ response: Response) throws -> Salon {
        try SalonCodec.decode(Array(response.body.utf8))
    }

    @Test("a salon can have 256 KiB, and white space in addition, but not more")
    func size() throws {
        func put(_ salon: Salon, _ condition: String, spaces: Int = 0) throws -> Response {
            let json = String(decoding: SalonCodec.encode(salon), as: UTF8.self)
            return try #require(
                exchange(
                    server.port,
                    "PUT /salons/\(Self.newID)",
                    headers: [condition],
                    body: String(repeating: " ", count: spaces) + json
                )
            )
        }
        var large = salon()
        let bytes = SalonCodec.encode(large).count
        large.location += String(repeating: "x", count: SalonRules.maximumBytes - bytes)
        #expect(try put(large, "If-None-Match: *").status == 201)
        #expect(try put(large, "If-Match: *", spaces: SalonRules.maximumBytes).status == 200)
        #expect(try put(large, "If-Match: *", spaces: SalonRules.maximumBytes + 1).status == 413)
        large.location += "x"
        let rejected = try put(large, "If-Match: *")
        #expect(rejected.status == 422)
        #expect(
            rejected.body.contains("the salon must be at most 262144 bytes of JSON, but has 262145")
        )
        let posted = try #require(
            exchange(
                server.port,
                "POST /appointments",
                headers: [],
                body: String(repeating: " ", count: 65_537)
            )
        )
        #expect(posted.status == 413)
    }

    @Test("a salon is created, returned, replaced, and deleted")
    func lifeCycle() throws {
        #expect(try send("GET").status == 404)
        let created = try send("PUT", Self.newID, "If-None-Match: *", salon: salon())
        #expect(created.status == 201 && created.header("etag") == #""1""#)
        #expect(created.header("location") == Self.newID.description)
        var expected = salon { $0.version = 1 }
        #expect(try stored(created) == expected)
        let returned = try send("GET")
        #expect(returned.status == 200 && returned.header("etag") == #""1""#)
        #expect(try stored(returned) == expected)

        let changed = salon { $0.name = "other" }
        let replaced = try send("PUT", Self.newID, #"If-Match: "1""#, salon: changed)
        expected.name = "other"
        expected.version = 2
        #expect(replaced.status == 200 && replaced.header("etag") == #""2""#)
        #expect(replaced.header("location") == nil)
        #expect(try stored(replaced) == expected)

        let deleted = try send("DELETE", Self.newID, #"If-Match: "2""#)
        #expect(deleted.status == 204 && deleted.body.isEmpty)
        #expect(try send("GET").status == 404)
        #expect(try send("DELETE", Self.newID, "If-Match: *").status == 404)
        let again = try send("PUT", Self.newID, "If-None-Match: *", salon: salon())
        // A version never stands for two different contents.
        #expect(again.status == 201 && again.header("etag") != #""1""#)
    }

    @Test(
        "a salon is changed only if the condition is met",
        arguments: [
            (["If-Match: \"1\""], 200), (["If-Match: *"], 200), (["If-Match: \"2\""], 412),
            (["If-Match: W/\"1\""], 412), (["If-Match: \"3\", \"1\""], 200),
            (["If-Match: \"3\"", "If-Match: \"1\""], 200), (["If-Match: 1"], 412),
            (["If-Match: \"3,\", \"4\""], 412), (["If-Match: "], 412), (["If-None-Match: *"], 412),
            (["If-Match: *", "If-None-Match: *"], 412), ([], 428), (["If-None-Match: \"5\""], 428),
        ]
    )
    func conditions(headers: [String], status: Int) throws {
        let id = AlwaysOpenBackend.id
        let body = String(decoding: SalonCodec.encode(salon(id) { $0.name = "x" }), as: UTF8.self)
        let put = exchange(server.port, "PUT /salons/\(id)", headers: headers, body: body)
        #expect(put?.status == status)
        let name = try stored(try send("GET", id)).name
        #expect(name == (status == 200 ? "x" : "n"))
        if status == 412 {
            let problem = try JSONDocument(parsing: Array(try #require(put).body.utf8)).root
            #expect(try problem.object().required("error").string() == "versionConflict")
            let current = try SalonCodec.read(problem.object().required("salon"))
            #expect(current.version == 1)
        }
    }

    @Test("a salon that does not exist is not replaced or deleted")
    func missing() throws {
        for condition in ["If-Match: *", #"If-Match: "1""#] {
            #expect(try send("PUT", Self.newID, condition, salon: salon()).status == 412)
            let deleted = try send("DELETE", Self.newID, condition)
            #expect(deleted.status == 404)
            #expect(try deleted.errorBody().name == "salonNotFound")
        }
        #expect(try send("DELETE").status == 428)
        #expect(try send("GET").status == 404)
    }

    @Test("an invalid salon is rejected with a reason")
    func invalid() throws {
        let text = { (salon: Salon) in String(decoding: SalonCodec.encode(salon), as: UTF8.self) }
        for (body, text) in [
            ("", "not JSON"), ("{", "not JSON"), ("[]", "an object"), ("{}", "id"),
            (text(salon()) + "x", "not JSON"), (text(salon(SalonID(high: 1, low: 2))), "id"),
            (text(salon { $0.timeZone = ZoneID("Europe/Atlantis") }), "Europe/Atlantis"),
        ] {
            let line = "PUT /salons/\(Self.newID)"
            let fields = ["If-None-Match: *"]
            let response = try #require(exchange(server.port, line, headers: fields, body: body))
            #expect(response.status == 422 && response.body.contains(text), "\(body)")
            #expect(try response.errorBody().name == "invalidSalon")
        }
        #expect(try send("GET").status == 404)
        for path in ["/salons/x", "/salons/%00"] {
            let fields = ["If-None-Match: *"]
            let response = exchange(server.port, "PUT \(path)", headers: fields, body: "{}")
            #expect([400, 404].contains(response?.status), "\(path)")
        }
    }

    @Test("a salon that cannot be divided into grains is rejected with every path that is wrong")
    func grains() throws {
        let hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 541),
            closes: TimeOfDay(minuteOfDay: 600)
        )
        let invalid = salon {
            $0.slotMinutes = 31
            $0.weekly = WeeklyHours([.monday: [hours]])
            $0.services = [Service(id: "a", name: "A", minutes: 6, bufferAfter: 7)]
            $0.staff = [StaffMember(id: "s", name: "S", services: ["a", "b"])]
        }
        let response = try send("PUT", Self.newID, "If-None-Match: *", salon: invalid)
        #expect(response.status == 422)
        #expect(try response.errorBody().name == "invalidSalon")
        let message = try response.message()
        for path in [
            "slot_minutes", "weekly.mon[0][0]", "services[0].minutes", "services[0].buffer_after",
            "staff[0].services[1]",
        ] {
            #expect(message.contains("\(path) must be"), "\(message)")
        }
        #expect(message.split(separator: ";").count == 5, "\(message)")
        #expect(try send("GET").status == 404)
        let multiples = salon {
            $0.services = [Service(id: "a", name: "A", minutes: 5, bufferBefore: 1_440)]
        }
        #expect(
            try send("PUT", Self.newID, "If-None-Match: *", salon: multiples).status == 201
        )
    }

    @Test("a salon with active bookings in the future is not deleted")
    func bookings() throws {
        let id = AlwaysOpenBackend.id
        let booked = try server.book(try AlwaysOpenBackend.time(60))
        let response = try send("DELETE", id, "If-Match: *")
        #expect(response.status == 409)
        #expect(try response.errorBody().name == "salonHasBookings")
        #expect(server.delete(booked.id)?.status == 200)
        #expect(try send("DELETE", id, "If-Match: *").status == 204)
        #expect(server.post(try AlwaysOpenBackend.time(120))?.status == 404)
        // The cancelled appointment remains.
        #expect(try server.appointments().map(\.id) == [booked.id])
    }

    @Test("new hours apply to the next booking, and bookings outside them are listed")
    func conflicts() throws {
        let id = AlwaysOpenBackend.id
        let booked = try [60, 600, 700, 800].map {
            try server.book(try AlwaysOpenBackend.time($0 / 30 * 30))
        }
        let cancelled = try #require(server.delete(booked[3].id)).appointment()
        #expect(cancelled.status == .cancelled)
        #expect(try conflicts(id).isEmpty)
        let morning = salon(id) {
            $0.hours = OpeningHours(
                opens: TimeOfDay(minuteOfDay: 0),
                closes: TimeOfDay(minuteOfDay: 120)
            )
        }
        #expect(try send("PUT", id, "If-Match: *", salon: morning).status == 200)
        let outside = server.post(try AlwaysOpenBackend.time(120))
        #expect(try outside?.errorBody().name == "outsideOpeningHours")
        #expect(server.post(try AlwaysOpenBackend.time(90))?.status == 201)
        let expected = booked[1...2].compactMap(\.id)
        #expect(try conflicts(id) == expected)
        #expect(try conflicts(id, "?limit=2") == expected)
        let first = try #require(exchange(server.port, "GET /salons/\(id)/conflicts?limit=1"))
        let link = try #require(first.header("link")).dropFirst().prefix { $0 != ">" }
        #expect(try conflicts(id, String(link)) == [expected[1]])
        #expect(exchange(server.port, "GET /salons/\(Self.newID)/conflicts")?.status == 404)
        #expect(exchange(server.port, "GET /salons/x/conflicts")?.status == 404)
    }

    @Test("bookings of a staff member who no longer works at that time are listed as conflicts")
    func staffConflicts() throws {
        let server = try StaffFixture.makeBackend()
        defer { server.backend.stop() }
        let start = try AlwaysOpenBackend.time(600)
        let ids = try ["ana", "ben"].map {
            try server.book(start, BookingOptions(serviceID: "cut", staffID: $0)).id
        }
        func listed() throws -> [String?] {
            let response = exchange(server.port, "GET /salons/\(AlwaysOpenBackend.id)/conflicts")
            let body = try #require(response).body
            return try AppointmentListCodec.decode(Array(body.utf8)).map(\.id)
        }
        #expect(try listed().isEmpty)
        let benIsAway = salon(AlwaysOpenBackend.id) {
            $0.services = [StaffFixture.cut]
            $0.staff = StaffFixture.staff
            $0.staff[1].services = nil
            $0.staff[1].exceptions = [OpeningException(date: start.localTime.date, hours: [])]
        }
        #expect(server.put(benIsAway)?.status == 200)
        #expect(try listed() == [ids[1]])
        let anaHasLeft = salon(AlwaysOpenBackend.id) {
            $0.services = [StaffFixture.cut]
            $0.staff = [StaffFixture.staff[1]]
        }
        #expect(server.put(anaHasLeft)?.status == 200)
        #expect(try listed() == [ids[0]])
    }

    @Test(
        "bookings for which there are too few people or seats are listed, as few as must move",
        arguments: [1, 2, 4]
    )
    func overbooked(limit: Int) throws {
        let server = try AlwaysOpenBackend { $0.seats = 4 }
        defer { server.backend.stop() }
        let start = try AlwaysOpenBackend.time(600)
        let booked = try (0..<4).map { _ in try server.book(start).id }
        let other = try server.book(start.advanced(byMinutes: 60), BookingOptions(seats: 4)).id
        for (set, expected) in [
            ({ $0.seats = 4 }, 0), ({ $0.seats = 3 }, 2), ({ $0.seats = 1 }, 4),
            ({ $0.staff = [StaffMember(id: "ana", name: "Ana")] }, 4),
        ] as [((inout Salon) -> Void, Int)] {
            let response = try #require(server.put(AlwaysOpenBackend.salon(set)))
            let object = try JSONDocument(parsing: Array(response.body.utf8)).root.object()
            #expect(try object.required("conflicts").integer() == expected)
            var (found, query): ([String], String?) = ([], "limit=\(limit)")
            while let next = query {
                let path = "/salons/\(AlwaysOpenBackend.id)/conflicts?\(next)"
                let page = try #require(exchange(server.port, "GET \(path)"))
                let elements = try JSONDocument(parsing: Array(page.body.utf8)).root.object()
                    .required("appointments").array()
                for element in elements {
                    #expect(try element.object().required("reasons").array().count == 1)
                    found.append(try element.object().required("id").string())
                }
                query = try page.nextQuery().map(String.init)
            }
            #expect(found.count == expected && Set(found).count == expected)
            #expect(expected == 0 || found.contains(other ?? ""))
            #expect(Set(found).isSubset(of: Set((booked + [other]).compactMap(\.self))))
        }
    }

    private func conflicts(_ id: SalonID, _ query: String = "") throws -> [String?] {
        let response = exchange(server.port, "GET /salons/\(id)/conflicts\(query)")
        let body = try #require(response).body
        return try AppointmentListCodec.decode(Array(body.utf8)).map(\.id)
    }
}
