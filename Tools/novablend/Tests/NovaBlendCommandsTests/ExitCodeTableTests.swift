import CommandLineKit
import Foundation
import NovaBlendMethods
import Testing

@testable import NovaBlendCommands

@Suite("The exit codes in docs/Command Line.md")
struct ExitCodeTableTests {
    @Test("match the program's exit codes and the errors that cause them")
    func rows() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
        let file = root.appending(path: "../../../../docs/Command Line.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        var rows: [Int32: Set<Int>] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 2, let code = Int32(cells[0]) else { continue }
            let errors =
                cells.count > 2 ? cells[2].split(separator: ", ").compactMap { Int($0) } : []
            rows[code] = Set(errors)
        }
        #expect(rows.keys.sorted() == ExitCode.meanings.map(\.code.rawValue).sorted())
        for code in ProgramError.allCases.map(\.code) + [-32_602, -32_800] {
            let exitCode = ErrorAdvice.row(for: code).exitCode
            #expect(rows[exitCode.rawValue]?.contains(code) == true, "\(code)")
        }
    }

    @Test("have different meanings")
    func meanings() {
        let meanings = ExitCode.meanings.map(\.meaning)
        #expect(Set(meanings).count == meanings.count)
    }
}
