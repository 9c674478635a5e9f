import BookingStorage
import Domain

extension BookingStoreSpec {
    private static let new = StoreFixture.salon(SalonID(high: 0, low: 7))
    private static let first = StoreFixture.salon(StoreFixture.first)

    private static func options(
        deletesOthers: Bool = false,
        isDryRun: Bool = false
    ) -> SalonImport.Options {
        var options = SalonImport.Options()
        (options.deletesOthers, options.isDryRun) = (deletesOthers, isDryRun)
        return options
    }

    static let imports: [Self] = [
        Self("an import creates and replaces salons, and leaves others") { fixture in
            var renamed = StoreFixture.salon(new.id, name: "renamed")
            let imported = try await fixture.store.importSalons([first, new, renamed])
            renamed.version = 1
            try expectEqual(imported.created, [renamed])
            try expectEqual(imported.unchanged.map(\.id), [first.id])
            try expectEqual(imported.replaced + imported.deleted + imported.undeletable, [])
            try expectEqual(try await fixture.store.salon(new.id), renamed)
            try expectEqual(try await fixture.store.salon(first.id)?.version, 1)
            try expectEqual(try await fixture.store.salons(after: nil, limit: 9).count, 3)
            let again = try await fixture.store.importSalons([new])
            try expectEqual(again.replaced.map(\.version), [2])
            try expectEqual(try await fixture.store.salon(new.id)?.version, 2)
        },
        Self("an import can delete the salons that it does not have") { fixture in
            let imported = try await fixture.store.importSalons([new], options(deletesOthers: true))
            try expectEqual(imported.deleted.map(\.id), [StoreFixture.first, StoreFixture.second])
            try expectEqual(imported.created.map(\.id), [new.id])
            try expectEqual(
                try await fixture.store.salons(after: nil, limit: 9).map(\.id),
                [new.id]
            )
        },
        Self("an import changes nothing if a salon that it deletes has a booking") { fixture in
            try await fixture.book(in: StoreFixture.second)
            let before = try await fixture.store.salons(after: nil, limit: 9)
            let imported = try await fixture.store.importSalons([new], options(deletesOthers: true))
            try expectEqual(imported.undeletable.map(\.id), [StoreFixture.second])
            try expectEqual(try await fixture.store.salons(after: nil, limit: 9), before)
            let kept = [new, StoreFixture.salon(StoreFixture.second)]
            let next = try await fixture.store.importSalons(kept, options(deletesOthers: true))
            try expectEqual(next.undeletable, [])
            try expectEqual(next.deleted.map(\.id), [StoreFixture.first])
        },
        Self("a dry run of an import has its result and changes nothing") { fixture in
            let before = try await fixture.store.salons(after: nil, limit: 9)
            let renamed = StoreFixture.salon(StoreFixture.first, name: "renamed")
            let preview = try await fixture.store.importSalons(
                [renamed, new],
                options(deletesOthers: true, isDryRun: true)
            )
            try expectEqual(try await fixture.store.salons(after: nil, limit: 9), before)
            let other = StoreFixture.salon(StoreFixture.first, name: "other")
            try await fixture.store.put(other, if: .version([1]))
            try expectEqual(try await fixture.store.salon(StoreFixture.first)?.name, "other")
            _ = try await fixture.store.importSalons([first])
            let imported = try await fixture.store.importSalons(
                [renamed, new],
                options(deletesOthers: true)
            )
            try expectEqual(preview.created, imported.created)
            try expectEqual(preview.deleted, imported.deleted)
            try expectEqual(preview.replaced.map(\.name), imported.replaced.map(\.name))
        },
    ]
}
