import BackendKit
import Domain
import Testing

@Suite("Options that a salon does not offer", .timeLimit(.minutes(10)))
struct InvalidOptionsTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try StaffFixture.makeBackend() }

    /// Members of a booking, and the beginning of the message.
    private static let cases = [
        (#""serviceId":"nails""#, "serviceId must be one of cut, color"),
        (#""staffId":"zoe""#, "staffId must be one of ana, ben"),
        (#""serviceId":"color","staffId":"ben""#, "staffId is Ben, who does not offer Color"),
        (#""seats":0"#, "seats must be"), (#""seats":-1"#, "seats must be"),
        (#""seats":2"#, "seats must be 1, because n books staff"),
        (#""seats":1001"#, "seats must be"), (#""seats":"2""#, "seats must be"),
        (#""seats":1.5"#, "seats must be"), (#""serviceId":7"#, "serviceId must be"),
        (#""serviceId":"""#, "serviceId must be"), (#""staffId":"a b""#, "staffId must be"),
    ]

    @Test(
        "are rejected in a booking with the name of the field, and nothing is booked",
        arguments: cases
    )
    func booking(members: String, message: String) throws {
        let start = try AlwaysOpenBackend.time(600)
        let body = AlwaysOpenBackend.booking(start).dropLast() + ",\(members)}"
        for path in ["/appointments", "/holds"] {
            let response = try #require(
                exchange(server.port, "POST \(path)", body: String(body))
            )
            #expect(response.status == 422, "\(response)")
            #expect(try response.errorBody().name == "invalidBooking")
            #expect(try response.message().hasPrefix(message), "\(response)")
        }
        #expect(try server.appointments().isEmpty)
        #expect(try server.slots(from: start, minutes: 30).map(\.free) == [2])
    }

    @Test(
        "are rejected in a change with the name of the field, and nothing changes",
        arguments: cases
    )
    func change(members: String, message: String) throws {
        let start = try AlwaysOpenBackend.time(600)
        let booked = try server.book(start)
        let body = AlwaysOpenBackend.change(to: start).dropLast() + ",\(members)}"
        let response = try #require(server.send("PATCH", booked.id, "*", nil, String(body)))
        #expect(response.status == 422, "\(response)")
        #expect(try response.errorBody().name == "invalidBooking")
        #expect(try response.message().hasPrefix(message), "\(response)")
        #expect(try server.appointments() == [booked])
    }

    @Test(
        "are rejected in a request for slots with the name of the parameter",
        arguments: [
            ("serviceId=nails", "serviceId must be one of"), ("staffId=zoe", "staffId must be"),
            ("serviceId=color&staffId=ben", "staffId is Ben"), ("seats=0", "seats must be"),
            ("seats=2", "seats must be 1"), ("seats=x", "seats must be"),
            ("seats=", "seats must be"), ("serviceId=", "serviceId must be"),
            ("explain=yes", "explain must be true or false"),
        ]
    )
    func slots(query: String, message: String) throws {
        let start = try AlwaysOpenBackend.time(600)
        let response = try #require(
            server.availability(from: start, minutes: 60, "&\(query)")
        )
        #expect(response.status == 422)
        #expect(try response.errorBody().name == "invalidBooking")
        #expect(try response.message().hasPrefix(message), "\(response)")
    }

    @Test("include any service, staff member, or several seats at a salon that states none")
    func plain() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        let start = try AlwaysOpenBackend.time(600)
        for (options, message) in [
            (BookingOptions(serviceID: "cut"), "serviceId cannot be chosen"),
            (BookingOptions(staffID: "ana"), "staffId cannot be chosen"),
            (BookingOptions(seats: 2), "seats must be at most 1"),
        ] {
            let response = try #require(server.post(start, options))
            #expect(response.status == 422)
            #expect(try response.message().hasPrefix(message), "\(response)")
        }
        #expect(try server.appointments().isEmpty)
    }
}
