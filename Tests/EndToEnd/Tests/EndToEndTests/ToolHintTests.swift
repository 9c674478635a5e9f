import Foundation
import JSON
import SystemTestSupport
import Testing

/// What the list of tools says about the effects of each tool, compared with what a call does when it
/// is made twice without an idempotency key. Clients repeat a call after a lost connection if
/// `idempotentHint` allows it.
@Suite("The hints of the tools", .throttled, .timeLimit(.minutes(10)))
struct ToolHintTests {
    /// What a call changes.
    struct Effects: Hashable, CustomStringConvertible {
        /// Something is different after the first call.
        var changes = false
        /// Something is gone, or has been replaced, after the first call.
        var destroys = false
        /// The second call changes nothing more.
        var isIdempotent = true
        /// No request reaches the server.
        var isLocal = false

        static let reads = Effects()
        static let adds = Effects(changes: true, isIdempotent: false)
        static let replaces = Effects(changes: true, destroys: true)
        static let replacesAgain = Effects(changes: true, destroys: true, isIdempotent: false)

        func locally() -> Effects {
            var effects = self
            effects.isLocal = true
            return effects
        }

        var description: String {
            "changes \(changes), destroys \(destroys), idempotent \(isIdempotent), local \(isLocal)"
        }
    }

    /// The arguments of a call, and what it does. `$` stands for a value of the world: `$url`, `$file`,
    /// `$id`, `$hold`.
    struct Row: Sendable, CustomTestStringConvertible {
        var tool: String
        var arguments: String
        var effects: Effects
        var testDescription: String { tool }

        init(_ tool: String, _ effects: Effects, _ arguments: String = "{}") {
            (self.tool, self.effects, self.arguments) = (tool, effects, arguments)
        }
    }

    /// A salon with three seats, so that the same time can be booked more than once.
    private static let salon = "5a100000-0000-4000-8000-000000000005"
    private static let booking = Sample.booking(hour: 20, salon: salon, phone: "+353 1 5550199")
    private static let file = #""file":"$file","overwrite":true"#

    private static let rows = [
        Row("salons_list", .reads), Row("salons_get", .reads, #"{"id":"\#(salon)"}"#),
        Row("salons_availability", .reads, #"{"salonId":"\#(salon)"}"#),
        Row("services_list", .reads, #"{"salonId":"\#(salon)"}"#),
        Row("staff_list", .reads, #"{"salonId":"\#(salon)"}"#),
        Row(
            "salons_put",
            .replaces,
            #"{"salon":{"id":"\#(salon)","name":"Owl","location":"Dublin","open_time":"18:00","#
                + #""close_time":"02:00","seats":3}}"#
        ),
        Row("salons_delete", .replaces, #"{"salonId":"5a100000-0000-4000-8000-000000000006"}"#),
        Row("appointments_list", .reads), Row("appointments_book", .adds, booking),
        Row("appointments_hold", .adds, booking),
        Row("appointments_release", .replaces, #"{"holdId":"$hold"}"#),
        Row(
            "appointments_reschedule",
            .replacesAgain,
            Sample.booking(hour: 21, salon: salon)
                .replacing(#""salonId":"\#(salon)""#, with: #""id":"$id""#)
                .replacing(#","phone":"+49 30 1234567""#, with: "")
        ),
        Row("appointments_cancel", .replaces, #"{"id":"$id"}"#),
        Row("appointments_export", .replaces, "{\(file)}"),
        Row("feed_list", .reads), Row("movies_list", .reads), Row("menu_list", .reads),
        Row("feed_image", .replaces, #"{"url":"$url/images/plum.png",\#(file)}"#),
        Row("menu_image", .replaces, #"{"url":"$url/images/honey.png",\#(file)}"#),
        Row("cache_status", .reads.locally()), Row("cache_validate", .replaces.locally()),
        Row("cache_clear", .replaces.locally()),
    ]

    @Test("they say what a call does that is made twice without a key", arguments: rows)
    func hints(row: Row) async throws {
        let world = try await World()
        let arguments = world.filled(row.arguments)
        if row.tool == "cache_validate" { try world.damageList() }
        let before = try await world.state()
        let count = try await world.requestCount()
        try await world.call(row.tool, arguments)
        // Counting makes one request.
        let isLocal = try await world.requestCount() == count + 1
        let first = try await world.state()
        try await world.call(row.tool, arguments, mayFail: true)
        let second = try await world.state()
        let lost = before.subtracting(first)
        let repeated = second.symmetricDifference(first)
        let observed = Effects(
            changes: first != before,
            destroys: !lost.isEmpty,
            isIdempotent: repeated.isEmpty,
            isLocal: isLocal
        )
        #expect(observed == row.effects, "lost: \(lost), by the repetition: \(repeated)")
        try await world.client.expectHints(of: row.tool, observed)
    }

    @Test("the same booking twice without a key makes two bookings")
    func twoBookings() async throws {
        let world = try await World()
        let before = try await world.backend.appointments().count
        for _ in 1...2 { try await world.call("appointments_book", Self.booking) }
        #expect(try await world.backend.appointments().count == before + 2)
    }

    @Test("a doubt that a call discards is gone, and the second call changes nothing more")
    func discard() async throws {
        let fixture = try BookingFixture { request, _ in
            switch request.method {
            case "POST": .hangUp
            case "DELETE": .reply(204)
            default: nil
            }
        }
        let client = try fixture.client()
        let key = try await client.callInDoubt("appointments/book", fixture.booking().params)
        let call = #"{"name":"appointments_resolve","arguments":{"discard":"\#(key)"}}"#
        _ = try await client.result("tools/call", call)
        #expect(try await client.openKeys().isEmpty)
        _ = try await client.result("tools/call", call)
        #expect(try await client.openKeys().isEmpty)
        try await client.expectHints(of: "appointments_resolve", .replaces)
    }

    @Test("a customer who is erased is not in the cache, and the second call changes nothing more")
    func erasure() async throws {
        let world = try await World()
        func cachedCount() async throws -> Int {
            let list = #"{"policy":"cacheOnly"}"#
            return try await world.client.result("appointments/list", list).count("appointments")
        }
        _ = try await world.client.result("appointments/list")
        #expect(try await cachedCount() == 1)
        for _ in 1...2 {
            try await world.call("cache_erase", #"{"phone":"+49 30 1234567"}"#)
            #expect(try await cachedCount() == 0)
        }
        try await world.client.expectHints(of: "cache_erase", .replaces.locally())
    }

    @Test("every tool has a test of its hints")
    func complete() async throws {
        let client = try Novablend(["--tools", "all"])
        let names = try await client.annotations().keys.sorted()
        #expect(
            names == (Self.rows.map(\.tool) + ["appointments_resolve", "cache_erase"]).sorted()
        )
    }
}

extension Novablend {
    /// The annotations of all tools, by the name of the tool.
    fileprivate func annotations() async throws -> [String: JSONObject] {
        let tools = try await result("tools/list").required("tools").array().map { try $0.object() }
        return Dictionary(
            uniqueKeysWithValues: try tools.map {
                (try $0.required("name").string(), try $0.required("annotations").object())
            }
        )
    }

    /// Expects that the hints of a tool say what was observed. A hint that is absent has its default.
    fileprivate func expectHints(of tool: String, _ effects: ToolHintTests.Effects) async throws {
        let hints = try #require(try await annotations()[tool])
        func hint(_ name: StaticString, default value: Bool) throws -> Bool {
            try hints[name]?.bool() ?? value
        }
        #expect(try hint("readOnlyHint", default: false) == !effects.changes)
        #expect(try hint("openWorldHint", default: true) == !effects.isLocal)
        // The other hints have no meaning for a tool that only reads.
        if !effects.changes { return }
        #expect(try hint("destructiveHint", default: true) == effects.destroys)
        #expect(try hint("idempotentHint", default: false) == effects.isIdempotent)
    }
}

/// A backend with an appointment and a hold, and a client that has cached every list.
private struct World {
    let backend: BackendProcess
    let client: Novablend
    private let values: [String: String]

    init() async throws {
        let backend = try await BackendProcess(["--log-requests"])
        let client = try Novablend(["--base-url", backend.url, "--tools", "all"])
        (self.backend, self.client) = (backend, client)
        for list in ["feed/list", "movies/list", "menu/list", "appointments/list"] {
            _ = try await client.result(list)
        }
        let salon = "5a100000-0000-4000-8000-000000000005"
        let booked = try await client.result(
            "appointments/book",
            Sample.booking(hour: 19, salon: salon)
        )
        let held = try await client.result(
            "appointments/hold",
            Sample.booking(hour: 22, salon: salon)
        )
        let file = client.directory.path + "/target"
        try Data("old".utf8).write(to: URL(filePath: file))
        values = [
            "$url": backend.url, "$file": file,
            "$id": try booked.required("appointment").object().required("id").string(),
            "$hold": try held.required("holdId").string(),
        ]
    }

    func filled(_ arguments: String) -> String {
        values.reduce(arguments) { $0.replacing($1.key, with: $1.value) }
    }

    func call(_ tool: String, _ arguments: String, mayFail: Bool = false) async throws {
        let call = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
        let result = try await client.result("tools/call", call)
        let hasFailed = try result["isError"]?.bool() ?? false
        #expect(mayFail || !hasFailed, "\(result.text)")
    }

    func damageList() throws {
        try Data("garbage".utf8).write(to: URL(filePath: client.cached("menu.snapshot")))
    }

    /// How many requests the backend has logged. Makes one more: entries are logged in order, so those
    /// of earlier requests come before it.
    func requestCount() async throws -> Int {
        let mark = "listMovies"
        let before = logged(mark)
        _ = try await backend.get("/movies")
        let deadline = ContinuousClock.now + .seconds(60)
        while logged(mark) == before {
            try #require(ContinuousClock.now < deadline, "\(backend.child.standardError())")
            await Task.yield()
        }
        return logged(" request ")
    }

    private func logged(_ text: String) -> Int {
        backend.child.standardError().components(separatedBy: text).count - 1
    }

    /// Everything that a call can change, as facts.
    func state() async throws -> Set<String> {
        var facts = try await members(of: "/salons", "salons")
        facts.formUnion(try await members(of: "/appointments", "appointments"))
        facts.formUnion(try await takenSeats())
        let open = try await client.result("appointments/resolve", #"{"dryRun":true}"#)
        facts.insert("journal \(try open.required("resolutions"))")
        let file = try String(contentsOfFile: values["$file"] ?? "", encoding: .isoLatin1)
        // Each download has its own time.
        let lines = file.split(separator: "\r\n").filter { !$0.hasPrefix("DTSTAMP") }
        facts.insert("file \(lines)")
        return facts.union(try cachedNames())
    }

    /// The members of the elements of a list at the server.
    private func members(of path: String, _ key: String) async throws -> Set<String> {
        let list = try await backend.get(path).object().member(named: key)
        var facts: Set<String> = []
        for element in try #require(list).array() {
            let object = try element.object()
            let id = try object.required("id").string()
            for (name, value) in object { facts.insert("\(key) \(id) \(name) \(value)") }
        }
        return facts
    }

    /// The seats that are taken on the evening of tomorrow, by appointments and holds.
    private func takenSeats() async throws -> Set<String> {
        let day = Sample.booking(hour: 19).split(separator: #"""#).first { $0.contains("T19:00") }
        let start = try #require(day).replacing("+0000", with: "Z")
        let end = start.replacing("T19", with: "T23")
        let path = "/salons/5a100000-0000-4000-8000-000000000005/availability"
        let page = try await backend.get("\(path)?start=\(start)&end=\(end)").object()
        var facts: Set<String> = []
        for slot in try page.required("slots").array() {
            let slot = try slot.object()
            let time = try slot.required("start").string()
            let free = try slot["free"]?.integer() ?? 0
            for seat in min(free, 3)..<3 { facts.insert("taken \(time) \(seat)") }
        }
        return facts
    }

    private func cachedNames() throws -> Set<String> {
        let names = try FileManager.default.subpathsOfDirectory(
            atPath: client.directory.path + "/cache"
        )
        // Images are named after their URLs; only `cache_clear` and `cache_validate` delete any.
        return Set(names.filter { $0.hasSuffix(".snapshot") && !$0.contains("images/") })
    }
}
