/// What happens to a system call instead of its being made: the `count`th of its name in the
/// process, or every one.
struct Fault: Sendable, CustomStringConvertible {
    enum Effect: Sendable {
        /// It fails with this error.
        case error(String)
        /// The process is killed.
        case kill
    }

    var call: String
    var count: Int?
    var effect: Effect

    /// As strace takes it.
    var argument: String {
        let when = count.map { ":when=\($0)" } ?? ""
        return switch effect {
        case .error(let name): "inject=\(call):error=\(name)\(when)"
        case .kill: "inject=\(call):signal=KILL\(when)"
        }
    }

    var description: String { argument }
}
