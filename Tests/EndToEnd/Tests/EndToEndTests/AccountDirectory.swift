import Foundation
import SystemTestSupport
import Testing

/// The directory in which the only account of a test has its files.
enum AccountDirectory {
    /// The directory of the only account below `base`, a cache or state directory.
    static func path(in base: String) throws -> String {
        let accounts = base + "/accounts"
        let names = try FileManager.default.contentsOfDirectory(atPath: accounts)
        try #require(names.count == 1, "accounts: \(names)")
        return accounts + "/" + names[0]
    }
}

extension Novablend {
    /// The path of a file in the account's cache.
    func cached(_ file: String) throws -> String {
        try AccountDirectory.path(in: directory.path + "/cache") + "/" + file
    }

    /// The path of the account's journal.
    func journal() throws -> String {
        try AccountDirectory.path(in: directory.path + "/state") + "/bookings.journal"
    }
}
