import NovaBlendAdapters

/// The damaged files that the store has quarantined.
enum DamagedFiles {
    /// How many there are in `directory`; none if it cannot be read.
    static func count(in directory: String) -> Int {
        DirectoryListing.names(in: directory).count(where: hasMark)
    }

    private static func hasMark(_ name: String) -> Bool {
        let parts = name.split(separator: ".")
        return parts.count >= 3 && parts.last?.hasPrefix("damaged-") == true
    }
}
