import BookingStorage
import Contract
import Domain
import JSON
import Testing

@testable import BackendKit

@Suite("What customers can book", .timeLimit(.minutes(10)))
struct CustomerLimitTests {
    private static let phone = "12345"

    /// A backend, and a token of each role.
    private struct Fixture {
        let server: AuthorizedBackend
        let customer: AccessToken
        let staff: AccessToken
        let administrator: AccessToken

        init(
            _ limits: CustomerLimits = CustomerLimits(),
            _ set: (inout Salon) -> Void = { _ in }
        ) async throws {
            server = try await AuthorizedBackend(customerLimits: limits, set)
            customer = try await server.create(.customer(phone: CustomerLimitTests.phone))
            staff = try await server.create(.staff(of: AlwaysOpenBackend.id))
            administrator = try await server.create()
        }

        /// Sends a booking of a time `minutes` after tomorrow begins.
        func post(
            _ token: AccessToken,
            _ minutes: Int,
            _ path: String = "/appointments",
            hold: String? = nil
        ) throws -> Response {
            try server.send(
                "POST \(path)",
                "Authorization: Bearer \(token.text)",
                body: AlwaysOpenBackend.booking(
                    try AlwaysOpenBackend.time(minutes),
                    phone: CustomerLimitTests.phone,
                    holdID: hold
                )
            )
        }

        func change(
            _ token: AccessToken,
            _ method: String,
            _ appointment: Appointment,
            toDay day: Int = 0
        ) throws -> Response {
            try server.send(
                "\(method) /appointments/\(appointment.id ?? "")",
                "Authorization: Bearer \(token.text)",
                "If-Match: *",
                body: AlwaysOpenBackend.change(to: try AlwaysOpenBackend.time(day * 1_440))
            )
        }

        /// Whether a slot that starts `days` days after tomorrow begins is available.
        func isAvailable(_ day: Int, to token: AccessToken?) throws -> Bool? {
            let range = try [0, 30].map {
                ISO8601.format(try AlwaysOpenBackend.time(day * 1_440 + $0))
            }
            let path = "/salons/\(AlwaysOpenBackend.id)/availability"
            let response = try server.send(
                "GET \(path)?start=\(range[0])&end=\(range[1])&explain=true".replacing(
                    "+",
                    with: "%2B"
                ),
                token.map { "Authorization: Bearer \($0.text)" } ?? "X: y"
            )
            return try SlotListCodec.decode(Array(response.body.utf8)).slots.first?.isAvailable
        }
    }

    /// Checks the error of a customer that has as many appointments as it may have.
    private func expectLimit(_ response: Response, _ limit: Int, _ rule: String) throws {
        #expect(response.status == 422, "\(response)")
        let error = try JSONDocument(parsing: Array(response.body.utf8)).root.object()
        #expect(try error.required("error").string() == "tooManyAppointments")
        #expect(try error.required("limit").integer() == limit)
        #expect(try error.required("rule").string() == rule)
        #expect(error["alternatives"] == nil)
    }

    @Test("is limited by what the salon states, also with holds, and staff have no limit")
    func salonLimits() async throws {
        let fixture = try await Fixture { $0.customerLimits = CustomerLimits(active: 2) }
        defer { fixture.server.stop() }
        let (customer, rule) = (fixture.customer, "maxActivePerCustomer")
        let booked = try fixture.post(customer, 0).appointment()
        let hold = try fixture.post(customer, 30, "/holds").hold()
        try expectLimit(try fixture.post(customer, 60), 2, rule)
        try expectLimit(try fixture.post(customer, 60, "/holds"), 2, rule)
        #expect(try fixture.post(customer, 30, hold: hold.id).status == 201)
        #expect(try fixture.change(customer, "PATCH", booked, toDay: 1).status == 200)
        try expectLimit(try fixture.post(customer, 60), 2, rule)
        for (index, token) in [fixture.staff, fixture.administrator].enumerated() {
            #expect(try fixture.post(token, 600 + index * 60).status == 201)
            #expect(try fixture.post(token, 630 + index * 60, "/holds").status == 201)
        }
        // What others have booked for the customer counts, too.
        #expect(try fixture.change(customer, "DELETE", booked).status == 200)
        try expectLimit(try fixture.post(customer, 60), 2, rule)
    }

    @Test("is limited by what the server states, whether or not appointments are cancelled")
    func serverLimits() async throws {
        let fixture = try await Fixture(CustomerLimits(perDay: 2))
        defer { fixture.server.stop() }
        let customer = fixture.customer
        for minutes in [0, 30] {
            let booked = try fixture.post(customer, minutes).appointment()
            #expect(try fixture.change(customer, "DELETE", booked).status == 200)
        }
        try expectLimit(try fixture.post(customer, 60), 2, "maxPerDayPerCustomer")
        #expect(try fixture.post(fixture.staff, 60).status == 201)
    }

    @Test("has no limit that no one states")
    func noLimits() async throws {
        let fixture = try await Fixture()
        defer { fixture.server.stop() }
        for slot in 0..<20 { #expect(try fixture.post(fixture.customer, slot * 30).status == 201) }
    }

    @Test("is limited for each phone number where bookings need no token")
    func withoutTokens() throws {
        let server = try AlwaysOpenBackend { $0.customerLimits = CustomerLimits(active: 1) }
        defer { server.backend.stop() }
        #expect(server.post(try AlwaysOpenBackend.time(0))?.status == 201)
        let response = try #require(server.post(try AlwaysOpenBackend.time(30)))
        try expectLimit(response, 1, "maxActivePerCustomer")
        #expect(server.post(try AlwaysOpenBackend.time(30), phone: "67890")?.status == 201)
        // A salon that does not say how far ahead it can be booked has no default for them.
        let late = try AlwaysOpenBackend.time(1_000 * 1_440)
        #expect(server.post(late, phone: "54321")?.status == 201)
    }

    @Test("begins at most 800 days from now unless the salon states it, but staff have no limit")
    func furthestDay() async throws {
        let fixture = try await Fixture()
        defer { fixture.server.stop() }
        // Days are counted from tomorrow.
        let last = 799
        let booked = try fixture.post(fixture.customer, last * 1_440).appointment()
        let late = try fixture.post(fixture.customer, (last + 1) * 1_440)
        #expect(late.status == 422)
        let error = try late.errorBody()
        #expect(error.name == "notBookable" && error.rule == "tooFarAhead")
        #expect(late.body.contains("at most 800 days in advance"))
        let held = try fixture.post(fixture.customer, (last + 1) * 1_440, "/holds")
        #expect(try held.errorBody().rule == "tooFarAhead")
        let moved = try fixture.change(fixture.customer, "PATCH", booked, toDay: last + 1)
        #expect(try moved.errorBody().rule == "tooFarAhead")
        #expect(try fixture.change(fixture.staff, "PATCH", booked, toDay: last + 1).status == 200)
        for token in [fixture.staff, fixture.administrator] {
            #expect(try fixture.isAvailable(last + 2, to: token) == true)
        }
        for token in [nil, fixture.customer] {
            #expect(try fixture.isAvailable(last + 2, to: token) == false)
            #expect(try fixture.isAvailable(last - 1, to: token) == true)
        }
        #expect(try fixture.post(fixture.administrator, 100_000 * 1_440).status == 201)
        // What the salon does not state is not served.
        let salons = try fixture.server.send("GET /salons")
        #expect(!salons.body.contains("furthest_days"))
    }

    @Test("begins at most as many days from now as the salon states")
    func statedDay() async throws {
        let fixture = try await Fixture { $0.furthestDays = 900 }
        defer { fixture.server.stop() }
        #expect(try fixture.post(fixture.customer, 899 * 1_440).status == 201)
        #expect(try fixture.post(fixture.customer, 900 * 1_440).status == 422)
        #expect(try fixture.post(fixture.administrator, 900 * 1_440).status == 422)
    }
}
