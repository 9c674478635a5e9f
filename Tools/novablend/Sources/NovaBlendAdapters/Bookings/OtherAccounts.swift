package import Domain
package import NovaBlendAccounts

/// The other accounts in the same state directory, and how many intents are open there.
///
/// Only their own server and credentials could resolve them.
package struct OtherAccounts: Sendable {
    /// The open intents of one account.
    package struct Entry: Sendable, Hashable {
        /// The account's name, see ``Account/name``.
        package let account: String
        /// How many intents are open; nil if its journal cannot be read.
        package let open: Int?
    }

    package let account: Account
    /// The state directory, absolute.
    let directory: String
    let clock: any WallClock

    package init(account: Account, directory: String, clock: any WallClock) {
        self.account = account
        self.directory = directory
        self.clock = clock
    }

    /// The accounts that have an open intent, or a journal that cannot be read, by name.
    package var entries: [Entry] {
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
}
