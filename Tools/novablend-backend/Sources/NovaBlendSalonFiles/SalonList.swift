import CommandLineKit
import Contract
import Domain
import JSON

/// Collects the salons of a file and everything that is wrong with them.
struct SalonList {
    private(set) var entries: [SalonFile.Entry] = []
    private(set) var problems: [SalonFileProblem] = []
    /// The number of salons in the file, including those that could not be read.
    private(set) var count = 0

    /// The columns that a CSV file should have, but lacks. They are reported once, for the header.
    var missingColumns: Set<String> = []

    private let zones: any ZoneSource
    private let reader = SalonReader()
    private var pathsByID: [SalonID: String] = [:]
    /// The salons whose names are equal or similar, by the folded name.
    private var entriesByName: [String: [SalonFile.Entry]] = [:]

    /// The first day that can be booked.
    let today: CalendarDate

    init(zones: any ZoneSource, today: CalendarDate) {
        self.zones = zones
        self.today = today
    }

    /// A salon of the file that was read, and its place.
    struct Place {
        var path: String
        /// The line, if it is known.
        var line: Int?
        var result: SalonReader.Result

        /// Whether the file has a valid value at a path within the salon.
        func isValid(_ path: String) -> Bool { !result.isReplaced(path) }
    }

    /// Reports a problem of a column, of a line if the column is nil, or of the whole file.
    mutating func report(
        _ message: String,
        as severity: SalonFileProblem.Severity = .error,
        line: Int? = nil,
        column: String? = nil
    ) {
        var problem = SalonFileProblem(severity: severity, message: message)
        (problem.line, problem.column) = (line, column)
        problems.append(problem)
    }

    /// Adds the next salon of the file, with its line if the file is CSV.
    ///
    /// - Parameter cellForm: Returns how a value at a path within the salon is written in this file,
    ///   if this differs from JSON.
    /// - Parameter cellProblems: What is wrong with cells of this file although they may be valid, by
    ///   the names of their columns.
    mutating func add(
        _ value: JSONValue,
        line: Int? = nil,
        cellProblems: [(column: String, message: String)] = [],
        cellForm: (String) -> String? = { _ in nil }
    ) {
        let result = reader.read(value)
        let place = nextPlace(line: line, result)
        let members = try? value.object()
        for (column, message) in cellProblems { report(.error, place, column, message) }
        let reported = missingColumns.union(cellProblems.map(\.column))
        for (path, expected) in result.mismatches where !reported.contains(path) {
            let isMissing = !path.contains("[") && members?.member(named: path) == nil
            let cell = isMissing ? nil : cellForm(path)
            report(.error, place, path, "must be \(cell ?? expected)")
        }
        for name in result.unknownNames {
            report(.warning, place, name.path, Self.unknown(name.nearest))
        }
        for path in result.repeatedNames {
            report(.warning, place, path, "is present more than once; the first one is used")
        }
        guard let salon = result.salon else { return }
        let entry = SalonFile.Entry(salon: salon, hasID: result.hasID, path: place.path)
        check(entry, place)
        checkRules(of: salon, place)
        // With placeholders, it is not known what can be booked.
        if result.mismatches.isEmpty { checkBookability(of: salon, place) }
        entries.append(entry)
    }

    /// Counts the next salon of the file, which cannot be read at all.
    mutating func addUnreadable(line: Int, _ message: String) {
        report(.error, nextPlace(line: line), "", message)
    }

    /// Counts a salon.
    private mutating func nextPlace(
        line: Int?,
        _ result: SalonReader.Result = .init(hasID: false)
    ) -> Place {
        defer { count += 1 }
        return Place(path: "\(SalonListCodec.key)[\(count)]", line: line, result: result)
    }

    static func unknown(_ nearest: String?) -> String {
        "is not known and will be ignored" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }

    /// Reports a problem at a path within a salon.
    mutating func report(
        _ severity: SalonFileProblem.Severity,
        _ place: Place,
        _ path: String,
        _ message: String
    ) {
        let column = path.prefix { $0 != "." && $0 != "[" }
        problems.append(
            SalonFileProblem(
                severity: severity,
                path: [place.path, path].filter { !$0.isEmpty }.joined(separator: "."),
                line: place.line,
                column: place.line == nil || column.isEmpty ? nil : String(column),
                message: message
            )
        )
    }

    /// Checks what the codec cannot know.
    private mutating func check(_ entry: SalonFile.Entry, _ place: Place) {
        if let zone = entry.salon.timeZone, place.isValid("time_zone"), zones.rules(of: zone) == nil
        {
            report(.error, place, "time_zone", "must be a time zone that this machine knows")
        }
        checkHours(of: entry.salon, place)
        if entry.hasID, place.isValid("id") { checkID(entry.salon.id, place) }
        if place.isValid("name") { checkName(of: entry, place) }
    }

    private mutating func checkID(_ id: SalonID, _ place: Place) {
        if let first = pathsByID[id] {
            report(.error, place, "id", "is also the id of \(first)")
        } else {
            pathsByID[id] = place.path
        }
    }

    /// `novablend` finds a salon by its name if it is unique, and an import finds a salon without
    /// an id by its name. Names that look the same are probably meant to be.
    private mutating func checkName(of entry: SalonFile.Entry, _ place: Place) {
        let name = Name(entry.salon.name)
        let others = entriesByName[name.folded] ?? []
        entriesByName[name.folded, default: []].append(entry)
        let equal = others.first { Name($0.salon.name) == name }
        guard let first = equal ?? others.first else { return }
        let haveIDs = entry.hasID && first.hasID
        let advice = haveIDs ? "users then need its id" : "give both an id"
        let message =
            if equal != nil {
                "is also the name of \(first.path); \(advice)"
            } else {
                "\"\(name.text)\" differs only in \(name.difference(from: Name(first.salon.name))) from "
                    + "\"\(first.salon.name)\", the name of \(first.path)"
                    + (haveIDs ? "" : "; write it in the same way, or \(advice)")
            }
        report(haveIDs ? .warning : .error, place, "name", message)
    }
}
