/// The exit code of a process. This library uses the codes below; a program adds its own in an
/// extension. The codes from 64 up are those of sysexits.h.
public struct ExitCode: RawRepresentable, Sendable, Hashable {
    /// The number, from 0 to 255.
    public let rawValue: Int32

    /// Creates an exit code from 0 to 255.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The command succeeded.
    public static let success = ExitCode(rawValue: 0)
    /// The command failed for a reason that has no code of its own.
    public static let failure = ExitCode(rawValue: 1)
    /// The command line is wrong (EX_USAGE).
    public static let usage = ExitCode(rawValue: 64)
    /// The system could not start a thread (EX_OSERR).
    public static let systemError = ExitCode(rawValue: 71)
    /// Writing to standard output failed (EX_IOERR).
    public static let inputOutput = ExitCode(rawValue: 74)
    /// The configuration file is wrong (EX_CONFIG).
    public static let configuration = ExitCode(rawValue: 78)
}
