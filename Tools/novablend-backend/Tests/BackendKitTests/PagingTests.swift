import BackendKit
import Contract
import Domain
import Testing

@Suite("Pages", .timeLimit(.minutes(10)))
struct PagingTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    private func get(_ path: String) throws -> Response {
        try #require(exchange(server.port, "GET \(path)"))
    }

    /// Follows the links to the next pages and returns all pages.
    private func pages(_ path: String) throws -> [Response] {
        var pages = [try get(path)]
        while let query = try pages.last?.nextQuery() {
            pages.append(try get("\(path.prefix { $0 != "?" })?\(query)"))
            if pages.count > 100 { break }
        }
        return pages
    }

    @Test("make up the list of appointments, in the order of salons and ids")
    func appointments() throws {
        let booked = try (0..<7).map { try server.book(try AlwaysOpenBackend.time($0 * 30)) }
        let expected = booked.sorted { ($0.id ?? "") < ($1.id ?? "") }
        for (limit, counts) in [(1, [1, 1, 1, 1, 1, 1, 1]), (3, [3, 3, 1]), (7, [7]), (8, [7])] {
            let pages = try pages("/appointments?limit=\(limit)").map {
                try AppointmentListCodec.decode(Array($0.body.utf8))
            }
            #expect(pages.map(\.count) == counts)
            #expect(pages.flatMap { $0 } == expected)
        }
        #expect(try get("/appointments").header("link") == nil)
    }

    @Test("neither skip nor repeat an appointment that is moved or cancelled between two requests")
    func moved() throws {
        let booked = try (0..<6).map { try server.book(try AlwaysOpenBackend.time($0 * 30)) }
        var (path, ids, round) = ("/appointments?limit=2", [String](), 0)
        while true {
            let page = try get(path)
            ids += try AppointmentListCodec.decode(Array(page.body.utf8)).compactMap(\.id)
            guard let link = page.header("link") else { break }
            path = "/appointments" + link.dropFirst().prefix { $0 != ">" }
            for appointment in booked {
                round += 1
                let time = try AlwaysOpenBackend.time(600 + round * 30)
                #expect(server.patch(appointment.id, to: time)?.status == 200)
            }
        }
        #expect(ids == booked.compactMap(\.id).sorted())
    }

    @Test("of salons are ordered by id")
    func salons() throws {
        let salons = (1...5).map { number in
            var salon = AlwaysOpenBackend.salon()
            salon.id = SalonID(high: 0, low: UInt64(6 - number))
            return salon
        }
        let backend = try Backend(database: ":memory:", salons: salons)
        defer { backend.stop() }
        var (path, ids) = ("/salons?limit=2", [SalonID]())
        while true {
            let page = try #require(exchange(backend.port, "GET \(path)"))
            ids += try SalonListCodec.decode(Array(page.body.utf8)).map(\.id)
            guard let link = page.header("link") else { break }
            path = "/salons" + link.dropFirst().prefix { $0 != ">" }
        }
        #expect(ids == salons.reversed().map(\.id))
    }

    @Test("of salons have each salon as it is stored, but without a time zone that is not known")
    func storedSalons() throws {
        var salons = (1...4).map { number in
            var salon = AlwaysOpenBackend.salon()
            salon.id = SalonID(high: 0, low: UInt64(number))
            salon.name = #"A "quoted" name,"time_zone":"Mars/Olympus"\"#
            salon.version = 1
            return salon
        }
        salons[0].timeZone = ZoneID("Europe/Berlin")
        salons[1].timeZone = ZoneID("Asia/Tokyo")
        salons[1].staff = [StaffMember(id: "ana", name: "Ana")]
        salons[2].timeZone = ZoneID("Mars/Olympus")
        salons[3].timeZone = nil
        let backend = try Backend(database: ":memory:", salons: salons)
        defer { backend.stop() }
        salons[2].timeZone = nil
        for limit in 1...5 {
            var (path, pages) = ("/salons?limit=\(limit)", [[Salon]]())
            while pages.count < 5 {
                let page = try #require(exchange(backend.port, "GET \(path)"))
                let listed = try SalonListCodec.decode(Array(page.body.utf8))
                #expect(page.body == String(decoding: SalonListCodec.encode(listed), as: UTF8.self))
                pages.append(listed)
                guard let query = try page.nextQuery() else { break }
                path = "/salons?\(query)"
            }
            #expect(pages.flatMap(\.self) == salons)
            #expect(pages.map(\.count).dropLast().allSatisfy { $0 == limit })
        }
    }

    @Test("of the feed, the movies, and the menu have links, too", arguments: ["feed", "menu"])
    func otherLists(name: String) throws {
        let whole = try get("/\(name)")
        #expect(whole.header("link") == nil)
        let pages = try pages("/\(name)?limit=2")
        let ids = { (text: String) in text.matches(of: /"id":"([^"]*)"/).map { $0.output.1 } }
        #expect(pages.count == (name == "feed" ? 4 : 2))
        #expect(pages.flatMap { ids($0.body) } == ids(whole.body))
    }

    @Test(
        "have from 1 to 1,000 elements",
        arguments: [
            ("limit=1", 200), ("limit=1000", 200), ("limit=1001", 200),
            ("limit=99999999999999999999", 200), ("limit=0", 422), ("limit=-1", 422),
            ("limit=", 422), ("limit=x", 422), ("limit=1.5", 422), ("limit=%2B1", 422),
            ("limit=1&limit=x", 200), ("cursor=", 422), ("cursor=x", 422), ("cursor=AAAA", 422),
            ("limit", 422),
        ]
    )
    func query(query: String, status: Int) throws {
        for path in ["/salons", "/appointments", "/salons/\(AlwaysOpenBackend.id)/conflicts"] {
            let response = try get("\(path)?\(query)")
            #expect(response.status == status, "\(path)")
            if status == 422 { #expect(try response.errorBody().name == "invalidPage") }
        }
    }

    @Test("have a different entity tag if a next page follows")
    func entityTag() throws {
        let salons = (1...2).map { number in
            var salon = AlwaysOpenBackend.salon()
            salon.id = SalonID(high: 0, low: UInt64(number))
            return salon
        }
        let pages = try (1...2).map { count in
            let backend = try Backend(database: ":memory:", salons: Array(salons.prefix(count)))
            defer { backend.stop() }
            return try #require(exchange(backend.port, "GET /salons?limit=1"))
        }
        #expect(pages[0].body == pages[1].body)
        #expect(pages[0].header("etag") != pages[1].header("etag"))
    }

    @Test("have cursors that only their own list accepts")
    func otherList() throws {
        for minutes in [0, 30] { _ = try server.book(try AlwaysOpenBackend.time(minutes)) }
        let link = try #require(try get("/appointments?limit=1").header("link"))
        let query = link.dropFirst().prefix { $0 != ">" }
        #expect(try get("/appointments\(query)").status == 200)
        for path in ["/salons", "/salons/\(AlwaysOpenBackend.id)/conflicts"] {
            #expect(try get("\(path)\(query)").status == 422)
        }
    }
}
