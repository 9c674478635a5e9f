/// What happens to one system call instead of its being made: the `count`th of its name in the
/// process.
struct Fault: Sendable, CustomStringConvertible {
    enum Effect: Sendable {
        /// It fails with this error.
        case error(String)
        /// The process is killed.
        case kill
    }

    var call: String
    var count: Int
    var effect: Effect

    /// As strace takes it.
    var argument: String {
        switch effect {
        case .error(let name): "inject=\(call):error=\(name):when=\(count)"
        case .kill: "inject=\(call):signal=KILL:when=\(count)"
        }
    }

    var description: String { argument }
}
