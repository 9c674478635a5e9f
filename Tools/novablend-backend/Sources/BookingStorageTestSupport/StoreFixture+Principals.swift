import BookingStorage
import Domain

/// The calls of principals with tokens.
extension StoreFixture {
    private static func keyed(
        _ key: String?,
        _ method: String,
        _ principal: Principal
    ) -> KeyedRequest? {
        key.map { keyed($0, method, "/", caller: principal.identity) }
    }

    @discardableResult
    func book(
        _ booking: BookingRequest,
        by principal: Principal,
        key: String? = nil
    ) async throws(StoreError) -> StoredAppointment {
        let request = Self.keyed(key, "POST", principal)
        return try await store.book(booking, as: request, by: principal) { salon in
            try BookingPlan(minutes: 30, booking.options, at: salon)
        }
    }

    func hold(
        _ booking: BookingRequest,
        by principal: Principal,
        key: String? = nil
    ) async throws(StoreError) -> StoredHold {
        let caller = principal.identity
        let request = key.map {
            Self.keyed($0, "POST", "/holds", body: "\(booking)", caller: caller)
        }
        return try await store.hold(booking, seconds: 300, as: request, by: principal) { salon in
            try BookingPlan(minutes: 30, booking.options, at: salon)
        }
    }

    func move(
        _ id: String,
        to seconds: Int64,
        by principal: Principal
    ) async throws(StoreError) -> StoredAppointment {
        let time = Self.booking(seconds).time
        return try await store.change(id, as: nil, by: principal) { stored, salon in
            stored.booking.time = time
            return try salon.map { try BookingPlan(minutes: 30, at: $0) }
        }
    }

    func cancel(
        _ id: String,
        by principal: Principal,
        key: String? = nil
    ) async throws(StoreError) -> StoredAppointment {
        try await cancel(id, by: principal, as: Self.keyed(key, "DELETE", principal))
    }

    func cancel(
        _ id: String,
        by principal: Principal,
        as request: KeyedRequest?
    ) async throws(StoreError) -> StoredAppointment {
        try await store.change(id, as: request, by: principal) { stored, _ in
            stored.status = .cancelled
            return nil
        }
    }

    /// All appointments that are visible to a role, read in pages.
    func appointments(
        visibleTo role: Principal.Role,
        limit: Int = 1_000
    ) async throws -> [StoredAppointment] {
        var all: [StoredAppointment] = []
        while true {
            let page = try await store.appointments(
                after: all.last?.position,
                limit: limit,
                visibleTo: role
            )
            try expect(page.count <= limit, "a page has \(page.count) elements")
            if page.isEmpty { return all }
            all += page
        }
    }

    func auditEntries() async throws(StoreError) -> [AuditEntry] {
        try await store.auditEntries(since: nil, of: nil, limit: 1_000)
    }
}
