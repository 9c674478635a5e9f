import BookingStorage
import BookingStorageTestSupport
import Contract
import Domain
import DomainTestSupport
import HTTPServing
import JSON
import SQLiteStorage
import Testing

@testable import BackendKit

/// A backend without a network, with what one customer has at one of two salons.
struct VisibilityFixture {
    /// Who makes a request.
    enum Caller: CaseIterable {
        /// Without a token.
        case anyone
        case customer, otherCustomer, staff, otherStaff, administrator

        var role: Principal.Role? {
            switch self {
            case .anyone: nil
            case .customer: .customer(phone: "49301234")
            // A number that ends in the same digits is not the same.
            case .otherCustomer: .customer(phone: "301234")
            case .staff: .staff(of: VisibilityFixture.salon)
            case .otherStaff: .staff(of: VisibilityFixture.otherSalon)
            case .administrator: .administrator
            }
        }
    }

    static let salon = SalonID(high: 1, low: 1)
    static let otherSalon = SalonID(high: 1, low: 2)
    static let phone = "+49 (30) 1234"
    private static let now = Timestamp(secondsSince1970: 1_800_000_000)

    let store: any BookingStore
    let routes: Routes
    /// An active appointment of the customer, booked with the key `booked`.
    let appointment: StoredAppointment
    let cancelled: StoredAppointment
    let hold: StoredHold
    private let tokens: [Caller: String]

    init() async throws {
        let clock = ManualClock(Self.now)
        store = try SQLiteBookingStore(
            path: ":memory:",
            clock: clock,
            newSalons: [Self.salon, Self.otherSalon].map { id in
                var salon = AlwaysOpenBackend.salon()
                salon.id = id
                return salon
            }
        )
        routes = Routes(
            store: store,
            lists: ServedList.all,
            zones: NoZones(),
            hasTokens: true,
            requestsPerSecond: 0,
            customerLimits: CustomerLimits(),
            clock: clock,
            maximumWaitingClients: 1,
            logsRequests: false,
            log: { _ in }
        )
        tokens = try await Self.makeTokens(in: store)
        let customer = Principal(.customer(phone: "49301234"), tokenID: "-")
        let body = Self.booking(hour: 1)
        let request = KeyedRequest(
            key: IdempotencyKey("booked", caller: customer.identity),
            method: "POST",
            path: "/appointments",
            body: body
        )
        appointment = try await store.book(
            try BookingRequestCodec.decode(body),
            as: request,
            by: customer,
            check: Self.check
        )
        let second = try await store.book(
            try BookingRequestCodec.decode(Self.booking(hour: 2)),
            as: nil,
            check: Self.check
        )
        cancelled = try await store.change(second.id, as: nil) { stored, _ in
            stored.status = .cancelled
            return nil
        }
        hold = try await store.hold(
            try BookingRequestCodec.decode(Self.booking(hour: 3)),
            seconds: 300,
            check: Self.check
        )
    }

    private static func makeTokens(
        in store: any BookingStore
    ) async throws -> [Caller: String] {
        var tokens: [Caller: String] = [:]
        for caller in Caller.allCases {
            guard let role = caller.role else { continue }
            let token = AccessToken()
            try await store.create(
                StoredToken(id: token.id, role: role, hash: token.hash, createdAt: now)
            )
            tokens[caller] = token.text
        }
        return tokens
    }

    private static let check: @Sendable (Salon) throws -> BookingPlan = { salon in
        try BookingPlan(minutes: 30, at: salon)
    }

    /// The body of a booking at the salon, `hour` hours after tomorrow begins in UTC.
    static func booking(
        hour: Int,
        phone: String = phone,
        at salon: SalonID = salon,
        hold: String? = nil
    ) -> [UInt8] {
        let request = BookingRequest(
            salonID: salon,
            time: time(hour),
            phone: phone,
            email: "a@b.example",
            note: "n",
            holdID: hold
        )
        return BookingRequestCodec.encode(request)
    }

    static func time(_ hour: Int) -> AppointmentTime {
        let midnight = now.secondsSince1970 / 86_400 * 86_400 + 86_400
        return AppointmentTime(
            instant: Timestamp(secondsSince1970: midnight + Int64(hour) * 3_600)
        )
    }

    static func move(to hour: Int) -> [UInt8] {
        Array(#"{"appointmentTime":"\#(ISO8601.format(time(hour)))"}"#.utf8)
    }

    func send(
        _ method: String,
        _ path: String,
        as caller: Caller,
        query: [(name: String, value: String)] = [],
        headers: HeaderFields = [:],
        body: [UInt8] = []
    ) async -> ServerResponse {
        var headers = headers
        if let token = tokens[caller] { headers["Authorization"] = "Bearer \(token)" }
        return await routes.respond(
            to: ServerRequest(
                method: method,
                path: path,
                query: QueryParameters(query),
                headers: headers,
                body: body
            )
        )
    }
}

private struct NoZones: ZoneSource {
    func rules(of zone: ZoneID) -> ZoneRules? { nil }
}

extension ServerResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
