import BackendKit
import Contract
import Domain
import JSON
import Testing

/// A salon with two services. Ana offers both, and Ben only the first one.
struct StaffFixture {
    static let cut = Service(id: "cut", name: "Cut", minutes: 30)
    /// Takes the time from 10 minutes before its start to 80 minutes after it.
    static let color = Service(
        id: "color",
        name: "Color",
        minutes: 60,
        bufferBefore: 10,
        bufferAfter: 20,
        price: Price(amount: 5_200, currency: "EUR")
    )
    static let staff = [
        StaffMember(id: "ana", name: "Ana"),
        StaffMember(id: "ben", name: "Ben", services: ["cut"]),
    ]

    static func makeBackend(
        clock: any WallClock = SystemClock(),
        _ set: (inout Salon) -> Void = { _ in }
    ) throws -> AlwaysOpenBackend {
        try AlwaysOpenBackend(clock: clock) {
            $0.services = [cut, color]
            $0.staff = staff
            set(&$0)
        }
    }
}

extension Response {
    /// Decodes the body as a hold. The status must be 201.
    func hold() throws -> Hold {
        #expect(status == 201, "\(self)")
        return try HoldCodec.decode(Array(body.utf8))
    }

    /// The message of an error response.
    func message() throws -> String {
        try JSONDocument(parsing: Array(body.utf8)).root.object().required("message").string()
    }
}
