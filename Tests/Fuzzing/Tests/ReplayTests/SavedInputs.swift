import Foundation

/// The files below `Corpus` and `FailCases`.
enum Kept {
    static let folders = ["Corpus", "FailCases"]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardized.path

    static func names(in folder: String, of target: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)/\(target)")
            .filter { !$0.hasPrefix(".") }
            .sorted()
    }

    /// All inputs of a target, as paths from the root of the package.
    ///
    /// A folder that cannot be read gives none here; a test of its own reports it.
    static func inputs(of target: String) -> [String] {
        folders.flatMap { folder in
            ((try? names(in: folder, of: target)) ?? []).map { "\(folder)/\(target)/\($0)" }
        }
    }

    static func bytes(at path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(root)/\(path)")))
    }
}
