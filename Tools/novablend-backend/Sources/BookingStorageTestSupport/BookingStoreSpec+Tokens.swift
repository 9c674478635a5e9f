import BookingStorage
import Domain
import DomainTestSupport

extension BookingStoreSpec {
    private static func token(
        _ id: String,
        _ role: Principal.Role = .administrator,
        name: String? = nil,
        after seconds: Int64 = 0,
        expiresAfter lifetime: Int64? = nil
    ) -> StoredToken {
        let createdAt = StoreFixture.now.advanced(bySeconds: seconds)
        return StoredToken(
            id: id,
            role: role,
            name: name,
            hash: "hash of \(id)",
            createdAt: createdAt,
            expiresAt: lifetime.map { createdAt.advanced(bySeconds: $0) }
        )
    }

    static let tokens: [Self] = [
        Self("a token is found by its id, with everything that was stored") { fixture in
            let tokens = [
                token("a", .customer(phone: "4930123"), expiresAfter: 60),
                token("b", .staff(of: StoreFixture.first), name: "Front desk; \u{0}\\x41 'é'"),
                token("c", name: "", after: -9_000_000_000, expiresAfter: .max),
            ]
            for token in tokens { try await fixture.store.create(token) }
            for token in tokens { try expectEqual(try await fixture.store.token(token.id), token) }
            for id in ["d", "A", "a ", "", "hash of a"] {
                try expectEqual(try await fixture.store.token(id), nil)
            }
        },
        Self("a token with a known id is rejected and changes nothing") { fixture in
            let first = token("a")
            try await fixture.store.create(first)
            let second = StoredToken(
                id: "a",
                role: .customer(phone: "1"),
                hash: "other",
                createdAt: StoreFixture.now
            )
            let known = StorageFailure(.other, "a different token has this id")
            try await expectError(.unavailable(known)) { try await fixture.store.create(second) }
            try expectEqual(try await fixture.store.token("a"), first)
        },
        Self("a store has tokens from the first one on, even if it is revoked") { fixture in
            try expectEqual(try await fixture.store.hasTokens(), false)
            try await fixture.store.create(token("a", expiresAfter: -1))
            try expectEqual(try await fixture.store.hasTokens(), true)
            _ = try await fixture.store.revokeToken("a", at: StoreFixture.now)
            try expectEqual(try await fixture.store.hasTokens(), true)
        },
        Self("a token is revoked once, and others are not") { fixture in
            for id in ["a", "b"] { try await fixture.store.create(token(id)) }
            for seconds in [5, 9] as [Int64] {
                let time = StoreFixture.now.advanced(bySeconds: seconds)
                try expectEqual(try await fixture.store.revokeToken("a", at: time), true)
                try expectEqual(try await fixture.store.revokeToken("c", at: time), false)
            }
            var revoked = token("a")
            revoked.revokedAt = StoreFixture.now.advanced(bySeconds: 5)
            try expectEqual(try await fixture.store.token("a"), revoked)
            try expectEqual(try await fixture.store.token("b"), token("b"))
        },
        Self("tokens are listed in pages, in the order of their creation") { fixture in
            let tokens = [
                token("z", after: -1), token("B"), token("a"), token("c"), token("A", after: 1),
            ]
            for token in tokens.reversed() { try await fixture.store.create(token) }
            for size in 1...6 {
                var listed: [StoredToken] = []
                var page: [StoredToken] = []
                repeat {
                    page = try await fixture.store.tokens(after: listed.last, limit: size)
                    listed += page
                } while page.count == size
                try expectEqual(listed, tokens)
            }
        },
        Self(
            "a token that one store creates or revokes is so in another",
            needsSharedDatabase: true
        ) { fixture in
            let other = try await fixture.openAnother()
            defer { other.close() }
            try await other.create(token("a"))
            try expectEqual(try await fixture.store.hasTokens(), true)
            try expectEqual(try await fixture.store.token("a"), token("a"))
            _ = try await other.revokeToken("a", at: StoreFixture.now)
            let revoked = try await fixture.store.token("a")?.revokedAt
            try expectEqual(revoked, StoreFixture.now)
        },
        Self(
            "a token changes nothing after its revocation in another store",
            needsSharedDatabase: true
        ) {
            fixture in
            let salon = StoreFixture.first
            for role in [.customer(phone: "12345"), .staff(of: salon), .administrator]
                as [Principal.Role]
            {
                let id = role.name
                let principal = Principal(role, tokenID: id)
                let start = Int64(7_200 * (1 + id.utf8.count))
                try await fixture.store.create(token(id, role))
                let booked = try await fixture.book(start, by: principal, key: id)
                let hold = try await fixture.hold(start + 3_600, by: principal)
                let other = try await fixture.openAnother()
                _ = try await other.revokeToken(id, at: StoreFixture.now)
                other.close()
                let before = (try await fixture.appointments(), try await fixture.auditEntries())
                try await expectError(.invalidToken) { try await fixture.book(0, by: principal) }
                try await expectError(.invalidToken) {
                    try await fixture.book(start, by: principal, key: id)
                }
                try await expectError(.invalidToken) { try await fixture.hold(0, by: principal) }
                try await expectError(.invalidToken) {
                    try await fixture.move(booked.id, to: 0, by: principal)
                }
                try await expectError(.invalidToken) {
                    try await fixture.cancel(booked.id, by: principal)
                }
                try await expectError(.invalidToken) {
                    try await fixture.store.release(hold: hold.id, by: principal)
                }
                for place in [nil, salon] {
                    let key = IdempotencyKey("v", caller: principal.identity)
                    try await expectError(.invalidToken) {
                        try await fixture.store.void(key, in: place, by: principal)
                    }
                }
                let changed = StoreFixture.salon(salon, name: "changed")
                try await expectError(.invalidToken) {
                    try await fixture.store.put(changed, if: .present, by: principal)
                }
                try await expectError(.invalidToken) {
                    try await fixture.store.deleteSalon(salon, if: .present, by: principal)
                }
                try expectEqual(try await fixture.appointments(), before.0)
                try expectEqual(try await fixture.auditEntries(), before.1)
                // Its time is still taken, because the hold was not released.
                try await expectError(.slotUnavailable) { try await fixture.book(start + 3_600) }
            }
        },
        Self(
            "what a customer books during an erasure is erased, too, or fails",
            needsSharedDatabase: true
        ) { fixture in
            let phone = "12345"
            let principal = Principal(.customer(phone: phone), tokenID: "a")
            try await fixture.store.create(token("a", principal.role))
            let other = try await fixture.openAnother()
            defer { other.close() }
            let results = await concurrently(60) { index -> Bool in
                if index == 20 {
                    _ = try await other.eraseCustomer(phone, cancelsAppointments: true)
                } else if index % 3 == 0 {
                    try await fixture.hold(Int64(index) * 1_800, by: principal)
                } else {
                    try await fixture.book(Int64(index) * 1_800, by: principal)
                }
                return index == 20
            }
            let wasErased = results.contains { if case .success(true) = $0 { true } else { false } }
            try expect(wasErased)
            try expect(try await fixture.store.customerData(of: phone).isEmpty)
            try await expectError(.invalidToken) { try await fixture.book(by: principal) }
        },
    ]
}
