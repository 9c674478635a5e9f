/// Something that is wrong with a file of salons.
public struct SalonFileProblem: Sendable, Hashable, CustomStringConvertible {
    /// How bad a problem is.
    public enum Severity: String, Sendable {
        /// The file cannot be imported.
        case error
        /// The file can be imported, but probably does not say what was meant.
        case warning
    }

    /// How bad the problem is.
    public var severity: Severity
    /// The path of the value, such as `salons[3].open_time`; empty if it is about the whole file.
    public var path = ""
    /// The line, counted from 1; nil if it is not known, as for most problems in JSON.
    public var line: Int?
    /// The name of the column in a CSV file; nil if it is about a whole line, and for JSON.
    public var column: String?
    /// What is wrong, as a phrase that follows the path: `must be a number`.
    public var message: String

    /// The severity, the path, the message, and the line and column as far as they are known.
    public var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        let words = ["\(severity.rawValue):", path, message].filter { !$0.isEmpty }
        let text = words.joined(separator: " ")
        return place.isEmpty ? text : "\(text) (\(place.joined(separator: ", ")))"
    }
}
