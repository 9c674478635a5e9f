import Contract
import Domain
import JSON

/// A column of a CSV file of salons. It has the name of a member in the JSON of a salon.
struct SalonColumn {
    private enum Kind { case text, integer, time, exceptions }

    let name: String
    private let kind: Kind

    /// All columns, in the order of the JSON. A file has no versions: the backend counts changes.
    static let all: [SalonColumn] = {
        guard let document = try? JSONDocument(parsing: SalonCodec.encode(SampleSalon.salon)),
            let members = try? document.root.object()
        else { return [] }
        return members.filter { $0.key != "version" }.map { SalonColumn($0.key, $0.value) }
    }()

    /// The columns that every file must have. An id may be missing.
    static let requiredNames: [String] = {
        let nothing = JSONFragment.emptyObject.bytes
        let mismatches = (try? JSONDocument(parsing: nothing)).map {
            SalonReader().read($0.root).mismatches
        }
        return mismatches?.map(\.path) ?? []
    }()

    private init(_ name: String, _ sample: JSONValue) {
        self.name = name
        kind =
            switch sample.kind {
            case .array: .exceptions
            case .number: name.hasSuffix("_time") ? .time : .integer
            default: .text
            }
    }

    /// Writes the JSON of a cell, as far as it can be understood. ``SalonReader`` checks it.
    func write(_ cell: String, to writer: inout JSONWriter) {
        switch kind {
        case .text: writer.string(cell)
        case .integer:
            let text = cell.trimmed
            if let number = Int(text) { writer.integer(number) } else { writer.string(text) }
        case .time: Self.writeTime(cell.trimmed, to: &writer)
        case .exceptions:
            writer.array { writer in
                for entry in cell.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
                    let text = String(entry).trimmed
                    if !text.isEmpty { Self.writeException(text, to: &writer) }
                }
            }
        }
    }

    /// The cell of a member of a salon.
    func cell(_ value: JSONValue) throws(JSONError) -> String {
        switch kind {
        case .text: return try value.string()
        case .integer: return "\(try value.integer())"
        case .time: return "\(try TimeOfDayCodec.read(value))"
        case .exceptions:
            var entries: [String] = []
            for element in try value.array() {
                let exception = try OpeningExceptionCodec.read(element)
                let hours = exception.hours.map { "\($0.opens)-\($0.closes)" }.joined(
                    separator: " "
                )
                entries.append("\(exception.date) \(hours.isEmpty ? Self.closed : hours)")
            }
            return entries.joined(separator: "; ")
        }
    }

    /// How a value at a path within the salon is written in a cell, if this differs from JSON.
    static func form(at path: String) -> String? {
        if path.hasPrefix("exceptions[") {
            return path.hasSuffix("]")
                ? "an entry such as 2026-12-25 closed or 2026-12-24 10:00-13:00" : timeOrNil(path)
        }
        return timeOrNil(path)
    }

    private static let closed = "closed"

    private static func timeOrNil(_ path: String) -> String? {
        path.hasSuffix("_time") ? "a time from 00:00 to 23:59" : nil
    }

    /// Writes a time such as `9:30`, `09:30:00`, or `9.30`.
    private static func writeTime(_ text: String, to writer: inout JSONWriter) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isClock = parts.count == 2 || (parts.count == 3 && parts[2] == "00")
        if isClock, let hour = digits(parts[0], 1...2), let minute = digits(parts[1], 2...2) {
            // The codec rejects 9.75, but would read 9.100 as 10.00.
            writer.number(hundredths: hour * 100 + minute)
        } else if let number = Double(text), text.allSatisfy({ "0"..."9" ~= $0 || $0 == "." }) {
            writer.number(number)
        } else {
            writer.string(text)
        }
    }

    private static func digits(_ text: Substring, _ count: ClosedRange<Int>) -> Int? {
        guard count.contains(text.count), text.allSatisfy({ "0"..."9" ~= $0 }) else { return nil }
        return Int(text)
    }

    /// Writes `2026-12-25 closed` or `2026-12-24 10:00-13:00` as an object, and any other text as a
    /// string.
    private static func writeException(_ text: String, to writer: inout JSONWriter) {
        let words = text.split(separator: " ", maxSplits: 1).map { String($0).trimmed }
        let times = words.count > 1 ? words[1].split(separator: "-").map { String($0).trimmed } : []
        guard words.count == 2, words[1] == closed || times.count == 2 else {
            return writer.string(text)
        }
        writer.object { writer in
            writer.member("date", words[0])
            guard words[1] != closed else { return writer.member("closed", true) }
            writer.key("open_time")
            writeTime(times[0], to: &writer)
            writer.key("close_time")
            writeTime(times[1], to: &writer)
        }
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
