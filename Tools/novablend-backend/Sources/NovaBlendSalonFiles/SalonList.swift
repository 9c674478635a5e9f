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
    private var entriesByName: [String: SalonFile.Entry] = [:]

    init(zones: any ZoneSource) { self.zones = zones }

    /// The place of a salon in the file.
    struct Place {
        var path: String
        /// The line, if it is known.
        var line: Int?
    }

    /// Reports an error of the whole file.
    mutating func report(_ message: String) {
        problems.append(SalonFileProblem(severity: .error, path: "", message: message))
    }

    /// Reports a problem of a column, or of the file if the column is nil.
    mutating func report(
        _ severity: SalonFileProblem.Severity,
        line: Int,
        column: String?,
        _ message: String
    ) {
        problems.append(
            SalonFileProblem(
                severity: severity,
                path: "",
                line: line,
                column: column,
                message: message
            )
        )
    }

    /// Adds the next salon of the file, with its line if the file is CSV.
    ///
    /// - Parameter cellForm: Returns how a value at a path within the salon is written in this file,
    ///   if this differs from JSON.
    mutating func add(
        _ value: JSONValue,
        line: Int? = nil,
        cellForm: (String) -> String? = { _ in nil }
    ) {
        let place = Place(path: "\(SalonListCodec.key)[\(count)]", line: line)
        count += 1
        let result = reader.read(value)
        let members = try? value.object()
        for (path, expected) in result.mismatches where !missingColumns.contains(path) {
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
        check(entry, place) { !result.isReplaced($0) }
        checkRules(of: salon, place, result)
        entries.append(entry)
    }

    /// Counts the next salon of the file, which cannot be read at all.
    mutating func addUnreadable(line: Int, _ message: String) {
        let place = Place(path: "\(SalonListCodec.key)[\(count)]", line: line)
        count += 1
        report(.error, place, "", message)
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
    ///
    /// - Parameter isValid: Whether the file has a valid value at a path within the salon.
    private mutating func check(
        _ entry: SalonFile.Entry,
        _ place: Place,
        where isValid: (String) -> Bool
    ) {
        if let zone = entry.salon.timeZone, isValid("time_zone"), zones.rules(of: zone) == nil {
            report(.error, place, "time_zone", "must be a time zone that this machine knows")
        }
        checkHours(of: entry.salon, place, where: isValid)
        if entry.hasID, isValid("id") { checkID(entry.salon.id, place) }
        if isValid("name") { checkName(of: entry, place) }
    }

    private mutating func checkID(_ id: SalonID, _ place: Place) {
        if let first = pathsByID[id] {
            report(.error, place, "id", "is also the id of \(first)")
        } else {
            pathsByID[id] = place.path
        }
    }

    /// `novablend` finds a salon by its name if it is unique, and an import finds a salon without
    /// an id by its name.
    private mutating func checkName(of entry: SalonFile.Entry, _ place: Place) {
        guard let first = entriesByName[entry.salon.name] else {
            entriesByName[entry.salon.name] = entry
            return
        }
        let message = "is also the name of \(first.path)"
        if entry.hasID, first.hasID {
            report(.warning, place, "name", "\(message); users then need its id")
        } else {
            report(.error, place, "name", "\(message); give both an id")
        }
    }
}
