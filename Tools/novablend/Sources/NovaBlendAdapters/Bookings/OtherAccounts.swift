import Domain
import JSON
import JSONRPC

/// The other accounts in the same state directory, and how many intents are open there.
///
/// They are counted, never resolved: that takes the account's own server and credentials.
struct OtherAccounts: Sendable {
    /// The open intents of one account.
    struct Entry: Sendable, Hashable {
        /// The account's name, see ``Account/name``.
        let account: String
        /// How many intents are open; nil if its journal cannot be read.
        let open: Int?
    }

    let account: Account
    /// The state directory, absolute.
    let directory: String
    let clock: any WallClock

    /// The accounts that have an open intent, or a journal that cannot be read, by name.
    var entries: [Entry] {
        let parent = "\(directory)/\(Account.parent)"
        let names = DirectoryListing.names(in: parent).filter {
            $0 != account.name && !$0.hasPrefix(".")
        }
        return names.sorted().compactMap { name in
            let journal = FileBookingJournal(
                directory: directory,
                subdirectory: "\(Account.parent)/\(name)",
                clock: clock
            )
            let open = (try? journal.pending())?.count
            return open == 0 ? nil : Entry(account: name, open: open)
        }
    }

    /// Writes the member `otherAccounts`: `[{"account", "open"}]`, with an `error` in place of `open`
    /// if a journal cannot be read.
    func write(to writer: inout JSONWriter) {
        writer.key("otherAccounts")
        writer.array { writer in
            for entry in entries {
                writer.object { writer in
                    writer.member("account", entry.account)
                    writer.member("open", entry.open)
                    if entry.open == nil { writer.member("error", "its journal cannot be read") }
                }
            }
        }
    }

    /// The property of a result that has this member.
    static let property = ObjectSchema.Property(
        "otherAccounts",
        Schemas.array(
            of: ObjectSchema([
                .init("account", Schemas.string),
                .init("open", Schemas.integer, "how many are open", isRequired: false),
                .init("error", Schemas.string, isRequired: false),
            ]).fragment
        ),
        "other accounts in the same directory that have open bookings; they are not resolved"
    )
}
