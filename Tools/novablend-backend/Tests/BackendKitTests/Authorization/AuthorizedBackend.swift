import BookingStorage
import BookingStorageTestSupport
import Domain
import HTTPServing
import SQLiteStorage
import Testing
import WebPrimitives

@testable import BackendKit

/// A backend whose database has tokens.
final class AuthorizedBackend {
    let backend: Backend
    private let database: TemporaryDatabase
    /// Uses the same database as a different process would.
    let store: SQLiteBookingStore

    init(
        rateLimit: Int = 0,
        host: String = "127.0.0.1",
        trusting networks: String = "",
        customerLimits: CustomerLimits = CustomerLimits(),
        _ set: (inout Salon) -> Void = { _ in }
    ) async throws {
        database = try TemporaryDatabase()
        let salons = [AlwaysOpenBackend.salon(set)]
        let clock = SystemClock()
        store = try SQLiteBookingStore(path: database.path, clock: clock, newSalons: salons)
        _ = try await Self.create(in: store)
        backend = try Backend(
            database: database.path,
            host: host,
            publicAddress: PublicAddress(trustedProxies: IPNetwork.list(networks) ?? []),
            rateLimit: rateLimit,
            customerLimits: customerLimits
        )
    }

    var path: String { database.path }

    func stop() {
        backend.stop()
        store.close()
    }

    func create(
        _ role: Principal.Role = .administrator,
        seconds: Int64? = nil
    ) async throws -> AccessToken {
        try await Self.create(role, seconds: seconds, in: store)
    }

    private static func create(
        _ role: Principal.Role = .administrator,
        seconds: Int64? = nil,
        in store: SQLiteBookingStore
    ) async throws -> AccessToken {
        let token = AccessToken()
        let now = SystemClock().now
        try await store.create(
            StoredToken(
                id: token.id,
                role: role,
                hash: token.hash,
                createdAt: now,
                expiresAt: seconds.map { now.advanced(bySeconds: $0) }
            )
        )
        return token
    }

    func send(_ line: String, _ headers: String..., body: String = "") throws -> Response {
        try #require(exchange(backend.port, line, headers: headers, body: body))
    }
}
