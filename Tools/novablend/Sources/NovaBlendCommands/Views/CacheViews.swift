import CommandLineKit
import JSON

/// Shows the state of the cache, or the result of validating or clearing it.
enum CacheViews {
    @Sendable static func show(_ context: ViewContext) async -> Report {
        switch context.invocation[.cacheAction] {
        case "validate": validated(context.result)
        case "clear": cleared(context.result)
        case "erase": erased(context.result)
        default: status(context.result)
        }
    }

    private static func status(_ object: JSONObject) -> Report {
        var table = TextTable([
            .init("RESOURCE"), .init("STATE"), .init("COUNT"), .init("SIZE"), .init("AGE"),
            .init("EXPIRES"), .init("REASON", isFlexible: true),
        ])
        for resource in object.objects("resources") {
            table.add([
                resource.text("name"), resource.text("state"),
                resource.integer("count").map(String.init), size(resource.integer("bytes")),
                resource.integer("ageSeconds").map(Age.text), resource.text("expiresAt"),
                resource.text("reason"),
            ])
        }
        let journal = object.child("journal")
        let open = journal?.integer("open") ?? 0
        let damaged = object.integer("damagedFiles") ?? 0
        return Report(
            [
                .table(table),
                .fields([
                    ("account", object.child("account")?.text("name")),
                    ("images", object.child("images").flatMap(images)),
                    ("quarantined files", damaged == 0 ? nil : "\(damaged)"),
                    ("bookings in doubt", journal?.text("error") ?? "\(open)"),
                ]),
            ],
            notes: [
                open > 0 ? "novablend resolve finds out what happened to bookings in doubt" : nil
            ]
                + ResultNotes.otherAccounts(in: object)
        )
    }

    private static func validated(_ object: JSONObject) -> Report {
        var table = TextTable([.init("RESOURCE"), .init("FOUND")])
        for (name, found) in object where found.kind == .string {
            table.add([name, try? found.string()])
        }
        return Report([.table(table)], notes: [dryRunNote(object)])
    }

    private static func cleared(_ object: JSONObject) -> Report {
        let names = object.texts("cleared")
        let list = names.joined(separator: ", ")
        let line = names.isEmpty ? "nothing was cached" : "deleted: \(list)"
        return Report([.line(line)], notes: [dryRunNote(object)])
    }

    private static func erased(_ object: JSONObject) -> Report {
        let accounts = object.objects("accounts")
        var table = TextTable([
            .init("ACCOUNT"), .init("APPOINTMENTS"), .init("BOOKINGS"), .init("DAMAGED FILES"),
        ])
        for account in accounts {
            table.add([
                account.text("account"), account.integer("appointments").map(String.init),
                account.integer("bookings").map(String.init),
                account.integer("damagedFiles").map(String.init),
            ])
        }
        let left = accounts.flatMap { $0.objects("left") }.map { left in
            "not removed until \(left.text("until") ?? ""): key \(left.text("idempotencyKey") ?? ""); "
                + (left.text("reason") ?? "")
        }
        return Report(
            [accounts.isEmpty ? .line("nothing about this number is stored") : .table(table)],
            notes: left + [dryRunNote(object)]
        )
    }

    private static func dryRunNote(_ object: JSONObject) -> String? {
        object.isTrue("dryRun") ? "dry run: nothing was deleted" : nil
    }

    /// The number and size of the images, or why they cannot be counted.
    private static func images(_ images: JSONObject) -> String? {
        guard let count = images.integer("count") else { return images.text("error") }
        return [String(count), size(images.integer("bytes"))].compactMap(\.self)
            .joined(separator: ", ")
    }

    private static func size(_ bytes: Int?) -> String? {
        switch bytes {
        case nil: nil
        case .some(let bytes) where bytes < 10 << 10: "\(bytes) B"
        case .some(let bytes) where bytes < 10 << 20: "\(bytes >> 10) KiB"
        case .some(let bytes): "\(bytes >> 20) MiB"
        }
    }
}
