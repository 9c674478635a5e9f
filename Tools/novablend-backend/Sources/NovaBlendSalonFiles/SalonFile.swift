public import Domain
import JSON

/// The salons in a file: JSON, with the payload of the salon list, or CSV.
///
/// A file is read completely, even if it has errors, so that all of them can be reported together.
public struct SalonFile: Sendable {
    /// A salon in the file.
    public struct Entry: Sendable, Hashable {
        /// The salon. Its id is a placeholder if the file has none.
        public var salon: Salon
        /// Whether the file has the salon's id.
        public var hasID: Bool
        /// Where the salon is in the file, such as `salons[3]`.
        public let path: String
    }

    /// The salons that could be read, in the order of the file.
    public private(set) var entries: [Entry]
    /// Everything that is wrong with the file, in the order of the file.
    public private(set) var problems: [SalonFileProblem]

    /// The number of salons in the file, including those that could not be read.
    public let salonCount: Int

    /// Whether the file has no errors. It may have warnings.
    public var isValid: Bool { !problems.contains { $0.severity == .error } }

    /// Reads a file. It is JSON if it begins with a brace or a bracket, and CSV otherwise.
    ///
    /// - Parameters:
    ///   - zones: The time zones that salons may be in.
    ///   - today: The first day that can be booked.
    public init(_ bytes: [UInt8], zones: any ZoneSource, today: CalendarDate) {
        var text = bytes[...]
        while text.starts(with: CSVRecords.byteOrderMark) { text = text.dropFirst(3) }
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        var list = SalonList(zones: zones, today: today)
        if FileEncoding.isWide(text) {
            list.report(
                "the file is UTF-16 or UTF-32, of which nothing was read; save it in UTF-8, for "
                    + "example as \"CSV UTF-8\" instead of \"Unicode text\""
            )
        } else {
            list.reportEncoding(of: text)
            let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            if isJSON { list.readJSON(Array(text)) } else { list.readCSV(text) }
        }
        let hasError = list.problems.contains { $0.severity == .error }
        if list.count == 0, !hasError { list.report("the file has no salons") }
        (entries, problems, salonCount) = (list.entries, list.problems, list.count)
    }
}
