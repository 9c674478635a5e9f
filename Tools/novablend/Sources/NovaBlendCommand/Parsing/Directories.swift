import Glibc

/// The directories of the XDG base directory specification.
enum Directories {
    /// Ours below that of `variable`. A relative path in the environment counts as none, as the
    /// specification has it.
    static func xdg(_ variable: String, _ fallback: String) -> String? {
        let base = absolute(variable) ?? absolute("HOME").map { "\($0)/\(fallback)" }
        return base.map { $0 + "/novablend" }
    }

    private static func absolute(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
