import Foundation

/// The input files below `Corpus` and `FailCases`.
enum SavedInputs {
    static let directories = ["Corpus", "FailCases"]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardized.path

    static func names(in directory: String, of target: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(directory)/\(target)")
            .filter { !$0.hasPrefix(".") }
            .sorted()
    }

    /// All inputs of a target, as paths relative to the root of the package.
    ///
    /// A directory that cannot be read counts as empty here. A separate test reports it.
    static func paths(of target: String) -> [String] {
        directories.flatMap { directory in
            ((try? names(in: directory, of: target)) ?? []).map { "\(directory)/\(target)/\($0)" }
        }
    }

    static func bytes(at path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(root)/\(path)")))
    }
}
