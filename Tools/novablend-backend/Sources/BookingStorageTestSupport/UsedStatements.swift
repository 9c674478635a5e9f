package import BookingStorage
import Glibc

/// The statements of some modules, for tests that examine their plans.
package enum UsedStatements {
    /// The statements that checking all requirements has used, by the file of their declarations.
    ///
    /// - Parameters:
    ///   - modules: The modules that declare statements.
    ///   - other: Texts that only statements of a different database contain.
    package static func all(
        in modules: [String],
        without other: [String]
    ) -> [(file: String, sql: SQL)] {
        SQL.all.compactMap { sql in
            let file = sql.place.prefix { $0 != ":" }
            let module = file.prefix { $0 != "/" }
            guard modules.contains(String(module)) else { return nil }
            let isPlanned = ["SELECT", "WITH", "(WITH", "INSERT", "UPDATE", "DELETE"].contains {
                sql.text.hasPrefix($0)
            }
            let isOther = other.contains { sql.text.contains($0) }
            return isPlanned && !isOther ? (String(file), sql) : nil
        }
    }

    /// The declarations in the sources of the modules that no test has used: each as a file and a line.
    package static func unused(in modules: [String], sources: String) throws -> [String] {
        let used = Set(SQL.all.map(\.place))
        var unused: [String] = []
        for module in modules {
            for path in try files(in: "\(sources)/\(module)") where path.hasSuffix(".swift") {
                let name = "\(module)/\(path.split(separator: "/").last ?? "")"
                let text = try read(path)
                for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
                    .enumerated() where declaresStatement(line)
                {
                    let place = "\(name):\(index + 1)"
                    if !used.contains(place) { unused.append("\(place) \(line)") }
                }
            }
        }
        return unused
    }

    private static func declaresStatement(_ line: Substring) -> Bool {
        let code = line.drop { $0 == " " }
        if code.hasPrefix("//") { return false }
        return code.ranges(of: "SQL(").contains { range in
            let before = code[..<range.lowerBound].last
            return before.map { !$0.isLetter && $0 != "." } ?? true
        }
    }

    private static func files(in directory: String) throws -> [String] {
        guard let stream = opendir(directory) else {
            throw SpecViolation(description: "cannot read \(directory)")
        }
        defer { closedir(stream) }
        var paths: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") { continue }
            let path = "\(directory)/\(name)"
            paths += entry.pointee.d_type == DT_DIR ? try files(in: path) : [path]
        }
        return paths
    }

    private static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else {
            throw SpecViolation(description: "cannot read \(path)")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        return String(decoding: bytes.prefix(fread(&bytes, 1, bytes.count, file)), as: UTF8.self)
    }
}
