/// A fault that is injected into a system call: into the `count`th call of its name in the process,
/// or into all of them if `count` is nil.
struct Fault: Sendable, CustomStringConvertible {
    enum Effect: Sendable {
        /// The call fails with this error.
        case error(String)
        /// The process is killed.
        case kill
    }

    var call: String
    var count: Int?
    var effect: Effect

    /// The argument of strace's option `-e`.
    var argument: String {
        let when = count.map { ":when=\($0)" } ?? ""
        return switch effect {
        case .error(let name): "inject=\(call):error=\(name)\(when)"
        case .kill: "inject=\(call):signal=KILL\(when)"
        }
    }

    var description: String { argument }
}
