import Glibc
import SystemSupport

/// A directory of the XDG base directory specification.
public enum BaseDirectory: Sendable {
    /// `$XDG_CACHE_HOME`, by default `~/.cache`.
    case cache
    /// `$XDG_CONFIG_HOME`, by default `~/.config`.
    case config
    /// `$XDG_DATA_HOME`, by default `~/.local/share`.
    case data
    /// `$XDG_STATE_HOME`, by default `~/.local/state`.
    case state

    /// The directory of `program` in this base directory. Ignores a relative path in an environment
    /// variable, as the specification requires. Nil if neither the variable nor `HOME` is an
    /// absolute path.
    public func path(for program: String) -> String? {
        let base =
            Self.absolutePath(variable)
            ?? Self.absolutePath("HOME").map { "\($0)/\(defaultPath)" }
        return base.map { "\($0)/\(program)" }
    }

    private var variable: String {
        switch self {
        case .cache: "XDG_CACHE_HOME"
        case .config: "XDG_CONFIG_HOME"
        case .data: "XDG_DATA_HOME"
        case .state: "XDG_STATE_HOME"
        }
    }

    private var defaultPath: String {
        switch self {
        case .cache: ".cache"
        case .config: ".config"
        case .data: ".local/share"
        case .state: ".local/state"
        }
    }

    private static func absolutePath(_ name: String) -> String? {
        getenv(name).map { String(systemBytes: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
