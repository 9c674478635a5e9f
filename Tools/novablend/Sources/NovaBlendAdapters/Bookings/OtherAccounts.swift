package import Domain
package import NovaBlendAccounts

/// The other accounts in the same state directory, with the numbers of their open intents.
///
/// These intents can only be resolved with the server and the credentials of their own account.
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

    /// The accounts with an open intent or an unreadable journal, sorted by name.
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
