import CommandLineKit
import Contract
import Domain
import NovaBlendAccounts
import NovaBlendAdapters
import NovaBlendMethods

/// Shows the state of the cache, or the result of validating or clearing it.
enum CacheViews {
    @Sendable static func status(_ reply: CacheStatusReply, _ context: ViewContext) -> Report {
        var table = TextTable([
            .init("RESOURCE"), .init("STATE"), .init("COUNT"), .init("SIZE"), .init("AGE"),
            .init("EXPIRES"), .init("REASON", isFlexible: true),
        ])
        for list in reply.lists {
            table.add([
                list.name, list.state.rawValue, list.count.map(String.init), size(list.bytes),
                list.ageSeconds.map { Age.text(seconds: Int($0)) },
                list.expiresAt.map(ISO8601.formatUTC), list.reason,
            ])
        }
        let open = reply.journal.open ?? 0
        return Report(
            [
                .table(table),
                .fields([
                    ("account", reply.accounts.account.name),
                    ("images", images(reply.images)),
                    ("quarantined files", reply.damagedFiles == 0 ? nil : "\(reply.damagedFiles)"),
                    ("bookings in doubt", reply.journal.error ?? "\(open)"),
                ]),
            ],
            notes: [
                open > 0 ? "novablend resolve finds out what happened to bookings in doubt" : nil
            ]
                + ResultNotes.otherAccounts(reply.accounts)
        )
    }

    @Sendable static func validated(_ reply: ValidationReply, _ context: ViewContext) -> Report {
        var table = TextTable([.init("RESOURCE"), .init("FOUND")])
        for (name, outcome) in reply.found { table.add([name, outcome.rawValue]) }
        return Report([.table(table)], notes: [dryRunNote(reply.isDryRun)])
    }

    @Sendable static func cleared(_ reply: ClearingReply, _ context: ViewContext) -> Report {
        let list = reply.names.joined(separator: ", ")
        let line = reply.names.isEmpty ? "nothing was cached" : "deleted: \(list)"
        return Report([.line(line)], notes: [dryRunNote(reply.isDryRun)])
    }

    @Sendable static func erased(_ reply: ErasureReply, _ context: ViewContext) -> Report {
        var table = TextTable([
            .init("ACCOUNT"), .init("APPOINTMENTS"), .init("BOOKINGS"), .init("DAMAGED FILES"),
        ])
        for erasure in reply.erasures {
            table.add([
                erasure.account, "\(erasure.appointments)", "\(erasure.bookings)",
                "\(erasure.damagedFiles)",
            ])
        }
        let left = reply.erasures.flatMap(\.open).map(ErasureReply.Left.init).map { left in
            "not removed until \(left.until): key \(left.intent.key); \(left.reason)"
        }
        let isEmpty = reply.erasures.isEmpty
        return Report(
            [isEmpty ? .line("nothing about this number is stored") : .table(table)],
            notes: left + [dryRunNote(reply.isDryRun)]
        )
    }

    private static func dryRunNote(_ isDryRun: Bool) -> String? {
        isDryRun ? "dry run: nothing was deleted" : nil
    }

    /// The number and size of the images, or why they cannot be counted.
    private static func images(_ images: CacheStatusReply.Images) -> String? {
        guard let count = images.count else { return images.error }
        return [String(count), size(images.bytes)].compactMap(\.self).joined(separator: ", ")
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
