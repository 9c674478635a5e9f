import Foundation

/// Salons that are open around the clock, one in each of the given zones.
enum ZonedSalons {
    static func id(_ index: Int) -> String {
        let digits = String(index)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    /// The payload of the list of salons.
    static func list(_ zones: [String]) -> String {
        let salons = zones.enumerated().map { index, zone in
            let name = #""name":"\#(zone)","location":"l","open_time":0,"close_time":0"#
            return #"{"id":"\#(id(index))",\#(name),"time_zone":"\#(zone)"}"#
        }
        return #"{"salons":[\#(salons.joined(separator: ","))]}"#
    }
}

/// A transition of a time zone's UTC offset, according to Python's zoneinfo.
struct ClockChange: Sendable {
    var zone: String
    var instant: Int
    var before: Int
    var after: Int

    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Packages/CivilTime/Tests/ZonesTests/transitions.py")
        .standardized

    /// The transitions of every zone from 2020 to 2035. A zone without transitions has one element,
    /// with equal offsets.
    static func all() async throws -> [ClockChange] {
        let python = try ChildProcess("/usr/bin/python3", [script.path])
        return await python.remainingOutput().split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int($0) }
            guard words.count == 4, numbers.count == 3 else { return nil }
            return ClockChange(
                zone: String(words[0]),
                instant: numbers[0],
                before: numbers[1],
                after: numbers[2]
            )
        }
    }

    /// The local time at `seconds` since 1970 with this UTC offset; without the offset if `isBare`.
    static func text(_ seconds: Int, offset: Int, isBare: Bool = false) -> String {
        let text = Date(timeIntervalSince1970: Double(seconds + offset))
            .formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
        let minutes = abs(offset) / 60
        let padded = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(
            separator: ":"
        )
        return isBare ? text : text + (offset < 0 ? "-" : "+") + padded
    }

    /// The seconds since 1970 of a start time: `02:30`, with the offset of its day, or
    /// `02:30+02:00`.
    static func seconds(date: String, time: String, _ dayOffset: String) -> Int? {
        let offset = time.count > 5 ? String(time.dropFirst(5)) : dayOffset
        let digits = offset.filter(\.isNumber)
        guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)),
            let shown = try? Date("\(date)T\(time.prefix(5)):00Z", strategy: .iso8601)
        else { return nil }
        let ahead = (hours * 60 + minutes) * (offset.hasPrefix("-") ? -60 : 60)
        return Int(shown.timeIntervalSince1970) - ahead
    }
}
