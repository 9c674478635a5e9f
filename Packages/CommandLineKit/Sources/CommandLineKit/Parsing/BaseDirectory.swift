import Glibc
import SystemSupport

/// A directory of the XDG base directory specification. Its raw value is the environment variable.
public enum BaseDirectory: String, Sendable {
    /// The directory for cached data: `$XDG_CACHE_HOME`, by default `~/.cache`.
    case cache = "XDG_CACHE_HOME"
    /// The directory for configuration files: `$XDG_CONFIG_HOME`, by default `~/.config`.
    case config = "XDG_CONFIG_HOME"
    /// The directory for the user's data: `$XDG_DATA_HOME`, by default `~/.local/share`.
    case data = "XDG_DATA_HOME"
    /// The directory for the state of programs: `$XDG_STATE_HOME`, by default `~/.local/state`.
    case state = "XDG_STATE_HOME"

    /// The directory of `program` in this base directory. Ignores a relative path in an environment
    /// variable, as the specification requires. If `HOME` is missing or empty, the home directory is
    /// that of the password database. Nil if neither the variable nor the home directory is an absolute
    /// path.
    public func path(for program: String) -> String? {
        let base =
            Self.absolutePath(getenv(rawValue))
            ?? Self.home.map { "\($0)/\(defaultPath)" }
        return base.map { "\($0)/\(program)" }
    }

    private var defaultPath: String {
        switch self {
        case .cache: ".cache"
        case .config: ".config"
        case .data: ".local/share"
        case .state: ".local/state"
        }
    }

    private static var home: String? {
        if let home = getenv("HOME"), home.pointee != 0 { return absolutePath(home) }
        var (user, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var texts = [CChar](repeating: 0, count: 1 << 14)
        return texts.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            getpwuid_r(geteuid(), &user, start, buffer.count, &found)
            return found.flatMap { absolutePath($0.pointee.pw_dir) }
        }
    }

    private static func absolutePath(_ path: UnsafePointer<CChar>?) -> String? {
        guard let path = path.map(String.init(systemBytes:)), path.hasPrefix("/") else {
            return nil
        }
        return path
    }
}
