import BookingStorage
import BookingStorageTestSupport
import Contract
import Domain
import HTTPServing
import JSON
import Testing

@testable import BackendKit

@Suite("What each role may see and change", .timeLimit(.minutes(10)))
struct VisibilityTests {
    private typealias Fixture = VisibilityFixture
    private typealias Caller = VisibilityFixture.Caller

    /// A request for a route, and its statuses for the callers in the order of their declaration.
    private struct Expectation: Sendable {
        var statuses: [Int]
        var isChange: Bool
        var send: @Sendable (Fixture, Caller) async -> ServerResponse

        init(
            _ statuses: [Int],
            isChange: Bool = true,
            _ send: @escaping @Sendable (Fixture, Caller) async -> ServerResponse
        ) {
            self.statuses = statuses
            self.isChange = isChange
            self.send = send
        }

        /// A request that only reads, and that everyone may make.
        static func all(
            _ path: String,
            _ query: [(name: String, value: String)] = []
        ) -> Expectation {
            Expectation([200, 200, 200, 200, 200, 200], isChange: false) { fixture, caller in
                await fixture.send("GET", path, as: caller, query: query)
            }
        }

        /// A request that reads what the caller may see.
        static func own(
            _ path: String,
            _ query: [(name: String, value: String)] = []
        ) -> Expectation {
            Expectation([401, 200, 200, 200, 200, 200], isChange: false) { fixture, caller in
                await fixture.send("GET", path, as: caller, query: query)
            }
        }
    }

    private static let anyVersion: HeaderFields = ["If-Match": "*"]
    private static let visible = [401, 200, 404, 200, 404, 200]

    private static let expectations: [String: [Expectation]] = [
        "listSalons": [.all("/salons")],
        "getSalon": [.all("/salons/\(Fixture.salon)")],
        "listSlots": [
            .all(
                "/salons/\(Fixture.salon)/availability",
                [("start", "2027-01-16T00:00:00Z"), ("end", "2027-01-17T00:00:00Z")]
            )
        ],
        "getImage": [.all("/images/\(SampleImages.names[0])")],
        "getDescription": [.all("/openapi.json")],
        "getLiveness": [.all("/health/live")],
        "getReadiness": [.all("/health/ready")],
        "getHealth": [.all("/health")],
        "listAppointments": [.own("/appointments")],
        "listChanges": [
            .all("/changes"), .all("/changes", [("kinds", "salons")]),
            .own("/changes", [("kinds", "appointments")]),
            .own("/changes", [("kinds", "salons,appointments")]),
        ],
        "listConflicts": [
            Expectation([401, 403, 403, 200, 403, 200]) { fixture, caller in
                await fixture.send("GET", "/salons/\(Fixture.salon)/conflicts", as: caller)
            }
        ],
        "putSalon": [
            Expectation([401, 403, 403, 200, 403, 200]) { fixture, caller in
                await put(fixture, caller, Fixture.salon, anyVersion)
            },
            Expectation([401, 403, 403, 412, 403, 412]) { fixture, caller in
                await put(fixture, caller, Fixture.salon, ["If-Match": "\"9\""])
            },
            // Only administrators create salons.
            Expectation([401, 403, 403, 403, 403, 412]) { fixture, caller in
                await put(fixture, caller, Fixture.salon, ["If-None-Match": "*"])
            },
            Expectation([401, 403, 403, 403, 403, 201]) { fixture, caller in
                await put(fixture, caller, SalonID(high: 1, low: 3), ["If-None-Match": "*"])
            },
        ],
        "deleteSalon": [
            Expectation([401, 403, 403, 403, 403, 204]) { fixture, caller in
                let path = "/salons/\(Fixture.otherSalon)"
                return await fixture.send("DELETE", path, as: caller, headers: anyVersion)
            }
        ],
        "bookAppointment": [
            Expectation([401, 201, 403, 201, 403, 201]) { fixture, caller in
                await fixture.send(
                    "POST",
                    "/appointments",
                    as: caller,
                    body: Fixture.booking(hour: 9)
                )
            },
            // For every other caller, the same key is a different one, so only the customer repeats
            // the request.
            Expectation([401, 201, 403, 409, 403, 409]) { fixture, caller in
                await fixture.send(
                    "POST",
                    "/appointments",
                    as: caller,
                    headers: ["Idempotency-Key": "booked"],
                    body: Fixture.booking(hour: 1)
                )
            },
        ],
        "getAppointment": [
            Expectation(visible) { fixture, caller in
                await fixture.send("GET", "/appointments/\(fixture.appointment.id)", as: caller)
            }
        ],
        "rescheduleAppointment": [
            Expectation(visible) { fixture, caller in
                await fixture.send(
                    "PATCH",
                    "/appointments/\(fixture.appointment.id)",
                    as: caller,
                    headers: anyVersion,
                    body: Fixture.move(to: 9)
                )
            }
        ],
        "cancelAppointment": [
            Expectation(visible) { fixture, caller in
                let path = "/appointments/\(fixture.appointment.id)"
                return await fixture.send("DELETE", path, as: caller, headers: anyVersion)
            }
        ],
        "holdTime": [
            Expectation([401, 201, 403, 201, 403, 201]) { fixture, caller in
                await fixture.send("POST", "/holds", as: caller, body: Fixture.booking(hour: 9))
            }
        ],
        "getHold": [
            Expectation(visible) { fixture, caller in
                await fixture.send("GET", "/holds/\(fixture.hold.id)", as: caller)
            }
        ],
        "releaseHold": [
            Expectation([401, 204, 404, 204, 404, 204]) { fixture, caller in
                await fixture.send("DELETE", "/holds/\(fixture.hold.id)", as: caller)
            }
        ],
        "voidIdempotencyKey": [
            Expectation([401, 409, 204, 204, 204, 204]) { fixture, caller in
                await fixture.send("DELETE", "/idempotency-keys/booked", as: caller)
            }
        ],
    ]

    private static func put(
        _ fixture: Fixture,
        _ caller: Caller,
        _ id: SalonID,
        _ headers: HeaderFields
    ) async -> ServerResponse {
        var salon = AlwaysOpenBackend.salon()
        salon.id = id
        let body = SalonCodec.encode(salon)
        return await fixture.send("PUT", "/salons/\(id)", as: caller, headers: headers, body: body)
    }

    @Test("each route has an expectation, which each caller meets, and nothing hidden leaks")
    func everyRoute() async throws {
        let names = Routes.table(lists: ServedList.all).routes.map(\.name)
        // Everyone may read the lists besides salons and appointments.
        let lists = ServedList.all.map { ($0.route.name, [Expectation.all("/\($0.name)")]) }
        let expected = Self.expectations.merging(lists) { known, _ in known }
        #expect(Set(names) == Set(expected.keys))
        var fixture = try await Fixture()
        for (name, expectations) in expected {
            for expectation in expectations {
                for (caller, status) in zip(Caller.allCases, expectation.statuses) {
                    let response = await expectation.send(fixture, caller)
                    #expect(response.status == status, "\(name) as \(caller)")
                    check(response, fixture, "\(name) as \(caller)", caller)
                    // Each request finds the same state.
                    if expectation.isChange, response.status < 300 {
                        fixture.store.close()
                        fixture = try await Fixture()
                    }
                }
            }
        }
        fixture.store.close()
    }

    /// Checks the error, and that nothing leaks that is not visible to the caller.
    private func check(
        _ response: ServerResponse,
        _ fixture: Fixture,
        _ comment: Comment,
        _ caller: Caller
    ) {
        if let error = [401: "notAuthenticated", 403: "notAllowed"][response.status] {
            #expect(response.text.contains(#""error":"\#(error)""#), comment)
        }
        if caller.role?.includes(fixture.appointment.booking) == true { return }
        for secret in [Fixture.phone, "a@b.example"] {
            #expect(!response.text.contains(secret), comment)
        }
    }

    @Test("an appointment or hold that is hidden has the same responses as one that does not exist")
    func sameResponses() async throws {
        for caller in [Caller.otherCustomer, .otherStaff] {
            let fixture = try await Fixture()
            defer { fixture.store.close() }
            _ = await fixture.send("DELETE", "/idempotency-keys/voided", as: caller)
            let own = Self.ownBooking(of: caller, hour: 5)
            let used = await fixture.send(
                "POST",
                "/appointments",
                as: caller,
                headers: ["Idempotency-Key": "used"],
                body: own
            )
            #expect(used.status == 201)
            for hidden in [fixture.appointment.id, fixture.cancelled.id, fixture.hold.id] {
                for request in Self.requests {
                    let first = await Self.response(request, fixture, caller, hidden)
                    let second = await Self.response(request, fixture, caller, Self.missing)
                    #expect(first == second, "\(request) as \(caller)")
                }
            }
        }
    }

    @Test("the time of an appointment to move counts as free for those who may see the appointment")
    func movedAppointment() async throws {
        let fixture = try await Fixture()
        defer { fixture.store.close() }
        for caller in Caller.allCases {
            let isVisible = caller.role?.includes(fixture.appointment.booking) == true
            let id = fixture.appointment.id
            #expect(try await Self.isFree(1, moving: id, fixture, caller) == isVisible, "\(caller)")
            #expect(try await !Self.isFree(1, moving: fixture.cancelled.id, fixture, caller))
        }
        // The time of a cancelled appointment can be that of an active one.
        let body = Fixture.booking(hour: 2)
        let booked = await fixture.send("POST", "/appointments", as: .administrator, body: body)
        #expect(booked.status == 201)
        let id = fixture.cancelled.id
        #expect(try await !Self.isFree(2, moving: id, fixture, .administrator))
    }

    /// Whether the slot at an hour is listed as available to a caller who moves an appointment.
    private static func isFree(
        _ hour: Int,
        moving id: String,
        _ fixture: Fixture,
        _ caller: Caller
    ) async throws -> Bool {
        let response = await fixture.send(
            "GET",
            "/salons/\(Fixture.salon)/availability",
            as: caller,
            query: [
                ("start", ISO8601.format(Fixture.time(hour))),
                ("end", ISO8601.format(Fixture.time(hour + 1))), ("appointmentId", id),
            ]
        )
        let slots = try SlotListCodec.decode(response.body).slots
        return try #require(slots.first { $0.start.instant == Fixture.time(hour).instant })
            .isAvailable
    }

    @Test("a hidden hold has no effect on a booking that names it")
    func hiddenHold() async throws {
        for caller in [Caller.otherCustomer, .otherStaff] {
            var responses: [[String]] = []
            for isMissing in [false, true] {
                let fixture = try await Fixture()
                defer { fixture.store.close() }
                let id = isMissing ? Self.missing : fixture.hold.id
                var texts: [String] = []
                // First books the held time, then a free time.
                for hour in [3, 4] {
                    let body = Self.ownBooking(of: caller, hour: hour, hold: id)
                    let response = await fixture.send(
                        "POST",
                        "/appointments",
                        as: caller,
                        body: body
                    )
                    let created = response.headers["Location"]?.split(separator: "/").last ?? "-"
                    texts.append(Self.text(of: response, without: String(created)))
                }
                responses.append(texts)
            }
            #expect(responses[0] == responses[1], "\(caller)")
        }
    }

    @Test("lists and changes contain what the caller may see, and say who the caller is")
    func lists() async throws {
        let fixture = try await Fixture()
        defer { fixture.store.close() }
        let start = ChangeCursor(
            epoch: try await fixture.store.changes(after: nil, limit: 0).cursor.epoch,
            number: 0
        )
        for (caller, count) in zip(Caller.allCases.dropFirst(), [2, 0, 2, 0, 2]) {
            let list = await fixture.send("GET", "/appointments", as: caller)
            let (appointments, subject) = try ReportedAppointmentListCodec.decode(
                list.body,
                limits: JSONLimits()
            )
            #expect(appointments.count == count, "\(caller)")
            let identity = caller.role.map { Principal($0, tokenID: "-").identity }
            #expect(subject == identity && subject?.isEmpty == false)
            let changes = await fixture.send(
                "GET",
                "/changes",
                as: caller,
                query: [("since", start.text(for: caller.role ?? Principal.anonymous.role))]
            )
            let found = changes.text.matches(of: /"appointmentTime"/).count
            #expect(changes.status == 200 && found == count, "\(caller)")
        }
        let local = ServedAppointment.encodePage([], for: .local)
        #expect(local == Array(#"{"appointments":[]}"#.utf8))
    }

    @Test("a caller without a token gets the changes of salons, and none of appointments")
    func anonymousChanges() async throws {
        let fixture = try await Fixture()
        defer { fixture.store.close() }
        let epoch = try await fixture.store.changes(after: nil, limit: 0).cursor.epoch
        let role = Principal.anonymous.role
        let start = ("since", ChangeCursor(epoch: epoch, number: 0).text(for: role))
        let salon = try #require(try await fixture.store.salon(Fixture.salon))
        try await fixture.store.put(salon, if: .present)
        try await fixture.store.deleteSalon(Fixture.otherSalon, if: .present)
        for query in [[start], [start, ("kinds", "salons")]] {
            let changes = await fixture.send("GET", "/changes", as: .anyone, query: query)
            #expect(changes.status == 200)
            #expect(changes.text.matches(of: /"open_time"/).count == 1)
            #expect(changes.text.contains(#""appointments":[]"#))
            #expect(
                changes.text.hasSuffix(
                    #""deleted":[{"kind":"salon","id":"\#(Fixture.otherSalon)"}]}"#
                )
            )
        }
        // A rejected token is a mistake of a caller who asks for more than the salons.
        let invalid: HeaderFields = ["Authorization": "Bearer nvb_x"]
        for (kinds, status) in [("salons", 200), ("appointments", 401), (nil, 401)] {
            let response = await fixture.send(
                "GET",
                "/changes",
                as: .anyone,
                query: [start] + (kinds.map { [("kinds", $0)] } ?? []),
                headers: invalid
            )
            #expect(response.status == status, "\(kinds ?? "-")")
        }
    }

    // MARK: Requests for something that the caller may not see

    private static let missing = "00000000-0000-4000-8000-000000000000"

    private struct Request: CustomStringConvertible {
        var method: String
        var path: String
        var headers: HeaderFields = [:]
        var body: [UInt8] = []

        var description: String { "\(method) \(path) \(headers.map { "\($0.name): \($0.value)" })" }
    }

    private static let requests: [Request] = {
        let conditions: [HeaderFields] = [
            [:], ["If-Match": "*"], ["If-Match": "\"1\""], ["If-Match": "\"9\""],
            ["If-Match": "x"], ["If-Match": "\"1\"", "Idempotency-Key": "used"],
            ["If-Match": "\"1\"", "Idempotency-Key": "voided"],
            ["If-Match": "\"1\"", "Idempotency-Key": "booked"],
            ["If-Match": "\"1\"", "Idempotency-Key": "\u{7F}"],
            ["If-None-Match": "\"1\""], ["If-None-Match": "*"],
        ]
        var requests: [Request] = []
        for headers in conditions {
            for method in ["GET", "HEAD", "DELETE", "OPTIONS", "POST"] {
                requests.append(Request(method: method, path: "/appointments/", headers: headers))
            }
            for body in [VisibilityFixture.move(to: 1), VisibilityFixture.move(to: -99), []] {
                requests.append(
                    Request(method: "PATCH", path: "/appointments/", headers: headers, body: body)
                )
            }
            requests.append(Request(method: "DELETE", path: "/holds/", headers: headers))
            requests.append(Request(method: "GET", path: "/holds/", headers: headers))
        }
        return requests
    }()

    private static func response(
        _ request: Request,
        _ fixture: Fixture,
        _ caller: Caller,
        _ id: String
    ) async -> String {
        let response = await fixture.send(
            request.method,
            request.path + id,
            as: caller,
            headers: request.headers,
            body: request.body
        )
        return text(of: response, without: id)
    }

    /// The whole response, in which nothing but the id may differ.
    private static func text(of response: ServerResponse, without id: String) -> String {
        let fields = response.headers.map { "\($0.name): \($0.value)" }
        return "\(response.status) \(fields) \(response.text)".replacing(id, with: "ID")
    }

    /// A booking that the caller may make.
    private static func ownBooking(of caller: Caller, hour: Int, hold: String? = nil) -> [UInt8] {
        caller == .otherStaff
            ? Fixture.booking(hour: hour, at: Fixture.otherSalon, hold: hold)
            : Fixture.booking(hour: hour, phone: "030 1234", hold: hold)
    }
}
