/// What a process exits with. A program adds its own codes in an extension; those below are the
/// ones that this library uses. From 64 on they are those of sysexits.h.
public struct ExitCode: RawRepresentable, Sendable, Hashable {
    /// The number, from 0 to 255.
    public let rawValue: Int32

    /// Makes an exit code from 0 to 255.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The command did what it was asked for.
    public static let success = ExitCode(rawValue: 0)
    /// The command failed, and no other code says why.
    public static let failure = ExitCode(rawValue: 1)
    /// The command line is wrong (EX_USAGE).
    public static let usage = ExitCode(rawValue: 64)
    /// Standard output cannot be written (EX_IOERR).
    public static let inputOutput = ExitCode(rawValue: 74)
    /// The configuration file is wrong (EX_CONFIG).
    public static let configuration = ExitCode(rawValue: 78)
}
