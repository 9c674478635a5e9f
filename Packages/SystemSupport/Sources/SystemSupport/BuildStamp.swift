import NovaBlendBuildStamp

/// The version of this program and the commit that it was built from.
///
/// The build writes them into the finished program. A program that was only compiled, such as one
/// that runs tests, has no stamp.
public struct BuildStamp: Sendable, Hashable, CustomStringConvertible {
    /// What `--version` prints, such as `0.1.0 (1f2e3d4c5b6a, 2026-11-24)`. The date is that of the
    /// commit in UTC.
    public let description: String

    /// Creates a stamp from the text in a program.
    init(_ text: String) { description = text.isEmpty ? "0.0.0 (development)" : text }

    /// The version, in the format of Semantic Versioning; `0.0.0` without a stamp.
    public var version: String { String(description.prefix { $0 != " " }) }

    /// The stamp of this program.
    public static let current = BuildStamp(String(cString: nb_build_stamp()))
}
