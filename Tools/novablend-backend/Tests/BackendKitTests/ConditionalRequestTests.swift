import Contract
import Domain
import Testing

@Suite("Conditional requests", .timeLimit(.minutes(10)))
struct ConditionalRequestTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    @Test(
        "an appointment is changed only if If-Match contains its version",
        arguments: [
            (["\"1\""], 200), (["*"], 200), (["\"2\", \"1\""], 200), (["\"2\"", "\"1\""], 200),
            ([",, \"1\" ,"], 200), (["\"2\""], 412), (["W/\"1\""], 412), (["1"], 412),
            (["\"1"], 412), (["\"x,1\""], 412), (["\"2\", \"3\""], 412), ([""], 412),
            (["\"1\" \"1\""], 412), (["*, \"1\""], 412), ([], 428),
        ]
    )
    func ifMatch(values: [String], status: Int) throws {
        let id = try #require(try server.book(try AlwaysOpenBackend.time(60)).id)
        let fields = values.map { "If-Match: \($0)" }
        let response = exchange(server.port, "DELETE /appointments/\(id)", headers: fields)
        #expect(response?.status == status)
        #expect(try server.appointments().map(\.version) == [status == 200 ? 2 : 1])
    }

    @Test("a known version is not sent again")
    func ifNoneMatch() throws {
        for path in ["/salons", "/salons/\(AlwaysOpenBackend.id)", "/appointments", "/feed"] {
            let line = "GET \(path)"
            let first = try #require(exchange(server.port, line))
            let tag = try #require(first.header("etag"))
            for (value, status) in [
                (tag, 304), ("W/\(tag)", 304), ("\"x\", \(tag)", 304), ("*", 304),
                (", \(tag),", 304), ("\"x\"", 200), (tag.replacing("\"", with: ""), 200),
                ("\"x,\(tag)", 200), ("", 200),
            ] {
                let fields = ["If-None-Match: \(value)"]
                let response = try #require(exchange(server.port, line, headers: fields))
                #expect(response.status == status, "\(path) \(value)")
                #expect(response.body == (status == 304 ? "" : first.body))
                #expect(response.header("etag") == tag)
            }
            let fields = ["If-None-Match: \"x\"", "If-None-Match: \(tag)"]
            #expect(exchange(server.port, line, headers: fields)?.status == 304)
        }
    }

    @Test("If-Match applies to GET, too, and before If-None-Match")
    func ifMatchOnGet() throws {
        let line = "GET /salons"
        let tag = try #require(exchange(server.port, line)?.header("etag"))
        for (fields, status) in [
            (["If-Match: \(tag)"], 200), (["If-Match: *"], 200), (["If-Match: \"x\""], 412),
            (["If-Match: \"x\"", "If-None-Match: \(tag)"], 412),
            (["If-Match: \(tag)", "If-None-Match: \(tag)"], 304),
        ] {
            #expect(exchange(server.port, line, headers: fields)?.status == status, "\(fields)")
        }
    }
}
