import Contract
import Domain
import Foundation
import SystemTestSupport
import Testing

@testable import NovaBlendSalonFiles

/// Files as people have them, from spreadsheets and phones. Next to each is what is found in it:
/// the number of rows, the salons, and the problems.
@Suite("A file of a spreadsheet")
struct SpreadsheetFileTests {
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Spreadsheets")

    static let names: [String] = {
        let all = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
        return (all ?? []).filter { $0.hasSuffix(".csv") }.sorted()
    }()

    private func file(_ name: String) throws -> SalonFile {
        salonFile(Array(try Data(contentsOf: Self.directory.appending(path: name))))
    }

    private func expected(_ name: String) throws -> [String] {
        let path = Self.directory.appending(path: name.replacing(".csv", with: ".txt"))
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func text(_ entry: SalonFile.Entry) -> String {
        let salon = entry.salon
        let parts = [
            entry.path, salon.name, salon.location.replacing("\n", with: " / "), salon.phone ?? "-",
            salon.hours.description, salon.slotMinutes.map { "\($0) minutes" } ?? "-",
            salon.weekly?.description ?? "-", "\(salon.exceptions.count) exceptions",
        ]
        return parts.joined(separator: " | ")
    }

    @Test("has the expected salons and problems", arguments: names)
    func content(name: String) throws {
        let file = try file(name)
        let found =
            ["rows: \(file.salonCount)"] + file.entries.map(text) + file.problems.map(\.description)
        #expect(found == (try expected(name)))
    }

    @Test("loses no row without a line in the report", arguments: names)
    func completeness(name: String) throws {
        let file = try file(name)
        let first = try #require(try expected(name).first)
        let rows = try #require(Int(first.dropFirst("rows: ".count)))
        for index in 0..<rows {
            let path = "salons[\(index)]"
            let isRead = file.entries.contains { $0.path == path }
            let isReported = file.problems.contains { $0.severity == .error && $0.path == path }
            #expect(isRead || isReported, "\(path)")
        }
        #expect(rows > 0 || !file.isValid)
    }

    @Test("is among the tested ones")
    func list() { #expect(Self.names.count >= 22) }
}

@Suite(
    "An exported file that LibreOffice has opened and saved",
    .enabled(if: LibreOffice.path != nil),
    .serialized,
    .timeLimit(.minutes(10))
)
struct LibreOfficeTests {
    private func salons() throws -> [Salon] {
        var sample = SampleSalon.salon
        sample.version = nil
        sample.staff = []
        return try [
            ("Zoë, \"Æ\"", "1 Main St\nSpringfield", "+49 30 1"), ("Köln", "=1+1", "0301234567"),
            ("1/2", "12:30", "493012345678901"), ("#REF!", "2026-12-25", "4.93E+11"),
            ("TRUTH", "-5", "'0155"), ("1000", "1,000.50", "(555) 010-2030"),
        ].enumerated().map { index, texts in
            var salon = sample
            salon.id = try #require(SalonID("5a100000-0000-4000-8000-00000000000\(index)"))
            (salon.name, salon.location, salon.phone) = texts
            salon.hours = OpeningHours(
                opens: TimeOfDay(minuteOfDay: index * 60),
                closes: TimeOfDay(minuteOfDay: index == 0 ? 0 : 720 + index * 60)
            )
            salon.weekly = index % 2 == 0 ? salon.weekly : nil
            return salon
        }
    }

    @Test(
        "has the same salons in every locale and with every separator",
        arguments: [("en_US", 1_033, ","), ("de_DE", 1_031, ";"), ("fr_FR", 1_036, "\t")],
        [false, true]
    )
    func roundTrip(locale: (name: String, id: Int, separator: Character), convertsTimes: Bool)
        throws
    {
        let office = try LibreOffice(locale: locale.name)
        let salons = try salons()
        let exported = try salons.reduce(SalonCSVWriter.header) { try $0 + SalonCSVWriter.line($1) }
        // Fields, text delimiter, UTF-8, first line, formats, language, quoted text, numbers.
        let import_ = "CSV:44,34,76,1,,\(locale.id),false,\(convertsTimes)"
        let table = try office.convert(exported, to: "ods", name: "salons.csv", filter: import_)
        let code = locale.separator.asciiValue ?? 0
        let export = "csv:Text - txt - csv (StarCalc):\(code),34,76,1,,\(locale.id),false,true"
        let saved = try office.convert(table, to: export, name: "salons.ods", filter: nil)
        let file = salonFile(saved)
        let problems = file.problems.filter { $0.severity == .error }
        #expect(problems.isEmpty, "\(problems) \(String(decoding: saved, as: UTF8.self))")
        #expect(file.entries.map(\.salon) == salons)
        let header = String(decoding: saved.prefix { $0 != 0x0A }, as: UTF8.self)
        #expect(header.contains("name\(locale.separator)location"))
    }
}

/// LibreOffice without a window, with a profile of its own.
struct LibreOffice {
    /// The program; nil if it is not installed.
    static let path = ["/usr/bin/soffice", "/usr/bin/libreoffice"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let locale: String
    private let directory: TemporaryDirectory

    init(locale: String) throws {
        self.locale = locale
        directory = try TemporaryDirectory()
    }

    /// Converts the bytes of a file, and returns those of the result.
    func convert(
        _ bytes: [UInt8],
        to format: String,
        name: String,
        filter: String?
    ) throws -> [UInt8] {
        let root = URL(filePath: directory.path)
        try Data(bytes).write(to: root.appending(path: name))
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.path))
        process.arguments =
            [
                "-env:UserInstallation=\(root.appending(path: "profile").absoluteString)",
                "--headless",
            ]
            + (filter.map { ["--infilter=\($0)"] } ?? [])
            + [
                "--convert-to", format, "--outdir", directory.path + "/out",
                directory.path + "/\(name)",
            ]
        var environment = ProcessInfo.processInfo.environment
        (environment["LC_ALL"], environment["HOME"]) = (locale + ".UTF-8", directory.path)
        process.environment = environment
        (process.standardOutput, process.standardError) = (
            FileHandle.nullDevice, FileHandle.nullDevice
        )
        try process.run()
        process.waitUntilExit()
        let ending = String(format.prefix { $0 != ":" })
        let result = "out/" + name.prefix { $0 != "." } + "." + ending
        return Array(try Data(contentsOf: root.appending(path: result)))
    }
}
