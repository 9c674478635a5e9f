import Contract
import Domain
import JSON

/// A column of a CSV file of salons. It has the name of a member in the JSON of a salon.
struct SalonColumn {
    private enum Kind { case text, phone, texts, integer, time, exceptions, weekly, json }

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
    static let requiredNames = SalonCodec.properties.filter { $0.isRequired && $0.name != "id" }
        .map(\.name)

    private init(_ name: String, _ sample: JSONValue) {
        self.name = name
        kind =
            switch (name, sample.kind) {
            case ("phone", _): .phone
            case ("aliases", _): .texts
            case ("exceptions", _): .exceptions
            case ("weekly", _): .weekly
            case (_, .array): .json
            case (_, .number): name.hasSuffix("_time") ? .time : .integer
            default: .text
            }
    }

    /// The column with a name; nil if it is unknown. Case does not matter, nor whether words are
    /// separated: `Time Zone` is `time_zone`.
    static func named(_ name: String) -> SalonColumn? { byFoldedName[folded(name)] }

    private static let byFoldedName = Dictionary(
        all.map { (folded($0.name), $0) },
        uniquingKeysWith: { first, _ in first }
    )

    private static func folded(_ name: String) -> String {
        name.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" }
    }

    /// Whether cells contain a time of day.
    var isTime: Bool { kind == .time }

    /// Why a cell does not contain what was meant, although it may be valid; nil if it probably does.
    func problem(of cell: String) -> String? {
        if CSVFormula.isError(cell) { return "is the error of a formula" }
        guard kind == .phone, Self.isScientific(cell.trimmed) else { return nil }
        return "is in scientific notation, because a spreadsheet took it for a number and lost its "
            + "last digits; format the column as text, and enter the phone number again"
    }

    /// Whether a text is a number such as `4.93E+11`, with a decimal point or comma.
    private static func isScientific(_ text: String) -> Bool {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let (digits, exponent) = (parts[0].drop { "+-".contains($0) }, parts[1])
        return digits.first?.isNumber == true
            && digits.allSatisfy { $0.isNumber || ".,".contains($0) }
            && !exponent.isEmpty && Int(exponent) != nil
    }

    /// A cell with points instead of commas between digits, if it contains numbers or times.
    func withDecimalPoints(_ cell: String) -> String {
        switch kind {
        case .text, .phone, .texts, .json: cell
        case .integer, .time, .exceptions, .weekly:
            Self.withDecimalPoints(Array(cell))
        }
    }

    private static func withDecimalPoints(_ cell: [Character]) -> String {
        func isDigit(_ index: Int) -> Bool {
            cell.indices.contains(index) && "0"..."9" ~= cell[index]
        }
        return String(
            cell.indices.map { index in
                cell[index] == "," && isDigit(index - 1) && isDigit(index + 1) ? "." : cell[index]
            }
        )
    }

    /// Writes the JSON of a cell, as far as it can be understood. ``SalonReader`` checks it.
    func write(_ cell: String, to writer: inout JSONWriter) {
        switch kind {
        case .text, .phone: writer.string(cell)
        case .texts: writer.texts(cell)
        case .integer:
            let text = cell.trimmed
            // A spreadsheet may show decimals. Three zeros may be thousands.
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let isWhole = parts.count == 2 && ["0", "00"].contains(parts[1])
            if let number = Int(isWhole ? parts[0] : text[...]) {
                writer.integer(number)
            } else {
                writer.string(text)
            }
        case .time: writer.time(cell.trimmed)
        case .exceptions:
            writer.array { writer in
                for entry in HoursCell.exceptions(in: cell) { writer.exception(entry) }
            }
        case .weekly: writer.weekly(cell)
        case .json:
            if let document = try? JSONDocument(parsing: Array(cell.utf8)) {
                writer.value(document.root)
            } else {
                writer.string(cell)
            }
        }
    }

    /// The cell of a member of a salon.
    func cell(_ value: JSONValue) throws(JSONError) -> String {
        switch kind {
        case .text, .phone:
            let text = try value.string()
            // No spreadsheet takes an id for a number, although it may have only digits.
            return name == "id" ? text : CSVFormula.escapedText(text)
        case .texts:
            var texts: [String] = []
            for element in try value.array() { texts.append(try element.string()) }
            let isPlain = texts.allSatisfy { text in
                text == text.trimmed && !text.isEmpty && !text.hasPrefix("[")
                    && !text.contains { $0 == ";" || $0.isNewline }
            }
            let cell =
                isPlain
                ? texts.joined(separator: "; ") : JSONFragment { $0.value(value) }.description
            return CSVFormula.escapedText(cell)
        case .integer: return "\(try value.integer())"
        case .time: return "\(try TimeOfDayCodec.read(value))"
        case .exceptions:
            var entries: [String] = []
            for element in try value.array() {
                let exception = try OpeningExceptionCodec.read(element)
                let (first, last) = (exception.dates.lowerBound, exception.dates.upperBound)
                let days = first == last ? "\(first)" : "\(first)..\(last)"
                entries.append("\(days) \(HoursCell.text(exception.hours))")
            }
            return entries.joined(separator: "; ")
        case .weekly:
            let weekly = try WeeklyHoursCodec.read(value)
            let entries = zip(Weekday.allCases, WeeklyHoursCodec.keys).compactMap { day, key in
                weekly[day].isEmpty ? nil : "\(key) \(HoursCell.text(weekly[day]))"
            }
            return entries.isEmpty ? HoursCell.closed : entries.joined(separator: "; ")
        case .json: return CSVFormula.escaped(JSONFragment { $0.value(value) }.description)
        }
    }

    /// How a value at a path within the salon is written in a cell, if this differs from JSON.
    static func form(at path: String) -> String? {
        switch path.withoutIndexes {
        case "exceptions[]":
            "an entry such as 2026-12-21..2027-01-06 closed or 2026-12-24 10:00-13:00"
        case "open_time", "close_time", "exceptions[].open_time", "exceptions[].close_time":
            "a time from 00:00 to 23:59"
        case "aliases": "names that are separated by semicolons, such as Copenhagen; Kopenhagen"
        case "services", "staff": #"a list in JSON, such as [{"id": "ana", "name": "Ana"}]"#
        default: nil
        }
    }
}

extension JSONWriter {
    /// Writes a time such as `9:30`, `09:30:00`, or `9.30` as a number, and any other text as a
    /// string.
    fileprivate mutating func time(_ text: String) {
        if let hundredths = HoursCell.hundredths(text) {
            number(hundredths: hundredths)
        } else {
            string(text)
        }
    }

    /// Writes texts that are separated by semicolons, or that are a list in JSON.
    fileprivate mutating func texts(_ cell: String) {
        if cell.trimmed.hasPrefix("["), let document = try? JSONDocument(parsing: Array(cell.utf8))
        {
            return value(document.root)
        }
        array { writer in
            for text in cell.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
                let text = String(text).trimmed
                if !text.isEmpty { writer.string(text) }
            }
        }
    }

    /// Writes an entry such as `2026-12-21..2027-01-06 closed` or `2026-12-24 10:00-13:00` as an object,
    /// and any other entry as a string.
    fileprivate mutating func exception(_ entry: (first: String, last: String?, hours: String)) {
        let intervals = HoursCell.intervals(in: entry.hours)
        guard intervals.allSatisfy({ $0.count == 2 }) else {
            return string("\(entry.first) \(entry.hours)")
        }
        object { writer in
            if let last = entry.last {
                writer.member("from", entry.first)
                writer.member("to", last)
            } else {
                writer.member("date", entry.first)
            }
            switch intervals.count {
            case 0: writer.member("closed", true)
            case 1:
                writer.key("open_time")
                writer.time(intervals[0][0])
                writer.key("close_time")
                writer.time(intervals[0][1])
            default: writer.intervals(intervals, of: "intervals")
            }
        }
    }

    /// Writes entries such as `mon 09:00-12:30 14:00-18:00` as an object. A day may have several.
    fileprivate mutating func weekly(_ cell: String) {
        let entries = HoursCell.entries(of: cell).filter { entry in
            !(entry.hours.isEmpty && entry.day.lowercased() == HoursCell.closed)
        }
        var (days, intervals): ([String], [String: [[String]]]) = ([], [:])
        for entry in entries {
            let day = entry.day.lowercased()
            if intervals[day] == nil { days.append(day) }
            intervals[day, default: []] += HoursCell.intervals(in: entry.hours)
        }
        object { writer in
            for day in days { writer.intervals(intervals[day] ?? [], of: day) }
        }
    }

    private mutating func intervals(_ intervals: [[String]], of key: String) {
        self.key(key)
        array { writer in
            for times in intervals {
                writer.array { writer in for time in times { writer.string(time) } }
            }
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
