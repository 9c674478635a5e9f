import BookingStorage
import Domain
import DomainTestSupport

extension BookingStoreSpec {
    private static let customer = Principal(.customer(phone: "12345"), tokenID: "t1")
    private static let staff = Principal(.staff(of: StoreFixture.first), tokenID: "t2")
    private static let administrator = Principal(.administrator, tokenID: "t3")

    static let audit: [Self] = [
        Self("each change of someone with a token has an entry in the audit log") { fixture in
            let imported = try await fixture.auditEntries().count
            let booked = try await fixture.book(by: customer)
            let hold = try await fixture.hold(3_600, by: staff)
            fixture.clock.advance(bySeconds: 60)
            try await fixture.store.release(hold: hold.id, by: staff)
            try await fixture.move(booked.id, to: 7_200, by: staff)
            try await fixture.cancel(booked.id, by: administrator)
            let key = IdempotencyKey("secret", caller: customer.identity)
            try await fixture.store.void(key, in: StoreFixture.first, by: customer)
            try await fixture.store.void(
                IdempotencyKey("other", caller: customer.identity),
                in: nil,
                by: customer
            )
            let new = StoreFixture.salon(SalonID(high: 3, low: 3))
            try await fixture.store.put(new, if: .absent, by: administrator)
            try await fixture.store.put(new, if: .present, by: administrator)
            try await fixture.store.deleteSalon(new.id, if: .present, by: administrator)
            let entries = try await fixture.auditEntries().dropFirst(imported)
            try expectEqual(
                entries.map { "\($0.role) \($0.tokenID ?? "") \($0.action) \($0.kind)" },
                [
                    "customer t1 book appointment", "staff t2 hold hold", "staff t2 release hold",
                    "staff t2 move appointment", "administrator t3 cancel appointment",
                    "customer t1 void key", "customer t1 void key",
                    "administrator t3 create salon", "administrator t3 replace salon",
                    "administrator t3 delete salon",
                ]
            )
            let (appointment, held, salon) = (booked.id, hold.id, new.id.description)
            try expectEqual(
                entries.map(\.id),
                [appointment, held, held, appointment, appointment, nil, nil, salon, salon, salon]
            )
            let first = StoreFixture.first
            let salons = [first, first, first, first, first, first, nil, new.id, new.id, new.id]
            try expectEqual(entries.map(\.salonID), salons)
            try expectEqual(entries.map(\.version), [1, nil, nil, 2, 3, nil, nil, 1, 2, nil])
            let (start, end) = (StoreFixture.now, fixture.clock.now)
            try expectEqual(entries.map(\.time), [start, start] + Array(repeating: end, count: 8))
        },
        Self("changes without a token have no entry") { fixture in
            let before = try await fixture.auditEntries()
            let booked = try await fixture.book()
            try await fixture.move(booked.id, to: 3_600)
            try await fixture.cancel(booked.id)
            let hold = try await fixture.hold()
            try await fixture.store.release(hold: hold.id)
            try await fixture.void("k")
            try await fixture.store.put(StoreFixture.salon(StoreFixture.second), if: .present)
            try await fixture.store.deleteSalon(StoreFixture.second, if: .present)
            try expectEqual(try await fixture.auditEntries(), before)
        },
        Self("a change that is rejected or repeated has no entry") { fixture in
            let booking = StoreFixture.booking()
            let booked = try await fixture.book(booking, by: customer, key: "k")
            let before = try await fixture.auditEntries()
            try expectEqual(try await fixture.book(booking, by: customer, key: "k"), booked)
            try await expectError(.slotUnavailable) {
                try await fixture.book(booking, by: customer)
            }
            let other = try await fixture.book(3_600)
            try await expectError(.slotUnavailable) {
                try await fixture.move(other.id, to: 0, by: customer)
            }
            let stored = try await fixture.store.salon(StoreFixture.first)
            let salon = StoreFixture.salon(StoreFixture.first)
            try await expectError(.versionConflict(stored)) {
                try await fixture.store.put(salon, if: .absent, by: administrator)
            }
            try expectEqual(try await fixture.auditEntries(), before)
        },
        Self("a key that is voided again has no second entry") { fixture in
            let before = try await fixture.auditEntries()
            for salon in [StoreFixture.first, nil, StoreFixture.first, nil] {
                try await fixture.store.void(
                    IdempotencyKey("k", caller: customer.identity),
                    in: salon,
                    by: customer
                )
            }
            let entries = try await fixture.auditEntries().dropFirst(before.count)
            try expectEqual(entries.map(\.salonID), [StoreFixture.first, nil])
        },
        Self("an import is recorded as a command, unless it changes nothing") { fixture in
            let before = try await fixture.auditEntries()
            try expectEqual(before.map(\.role), [.command, .command])
            let new = StoreFixture.salon(StoreFixture.first, name: "new")
            var options = SalonImport.Options()
            options.deletesOthers = true
            options.isDryRun = true
            _ = try await fixture.store.importSalons([new], options)
            _ = try await fixture.store.importSalons([StoreFixture.salon(StoreFixture.first)])
            try expectEqual(try await fixture.auditEntries(), before)
            options.isDryRun = false
            _ = try await fixture.store.importSalons([new], options)
            let entries = try await fixture.auditEntries().dropFirst(2)
            let changes = entries.map { "\($0.action) \($0.id ?? "") \($0.version ?? 0)" }
            let expected = ["replace \(StoreFixture.first) 2", "delete \(StoreFixture.second) 0"]
            try expectEqual(Set(changes), Set(expected))
        },
        Self("a token is recorded when it is created and when it is revoked") { fixture in
            let before = try await fixture.auditEntries()
            let token = StoredToken(
                id: "t1",
                role: .customer(phone: "12345"),
                hash: "h",
                createdAt: StoreFixture.now
            )
            try await fixture.store.create(token)
            for _ in 0..<2 {
                _ = try await fixture.store.revokeToken("t1", at: StoreFixture.now)
                _ = try await fixture.store.revokeToken("t2", at: StoreFixture.now)
            }
            let entries = try await fixture.auditEntries().dropFirst(before.count)
            let changes = entries.map { "\($0.role) \($0.action) \($0.kind) \($0.id ?? "")" }
            try expectEqual(changes, ["command create token t1", "command revoke token t1"])
        },
        Self("the last entries are found by their time and their salon") { fixture in
            let salons = [StoreFixture.first, StoreFixture.second]
            for slot in 0..<6 {
                fixture.clock.advance(bySeconds: 10)
                let booking = StoreFixture.booking(Int64(slot) * 3_600, in: salons[slot % 2])
                try await fixture.book(booking, by: administrator)
            }
            let all = Array(try await fixture.auditEntries().suffix(6))
            func found(
                since: Int64? = nil,
                of salon: SalonID? = nil,
                limit: Int = 9
            ) async throws -> [AuditEntry] {
                try await fixture.store.auditEntries(
                    since: since.map { StoreFixture.now.advanced(bySeconds: $0) },
                    of: salon,
                    limit: limit
                )
            }
            try expectEqual(try await found(limit: 2), Array(all.suffix(2)))
            try expectEqual(try await found(since: 30), Array(all.suffix(4)))
            try expectEqual(try await found(since: 31), Array(all.suffix(3)))
            let expected = [all[2], all[4]]
            try expectEqual(try await found(since: 20, of: StoreFixture.first), expected)
            try expectEqual(try await found(of: StoreFixture.first, limit: 1), [all[4]])
            try expectEqual(try await found(of: SalonID(high: 9, low: 9)), [])
        },
    ]
}
