/// A value that is told by its place.
struct Argument: Sendable {
    /// As help shows it.
    var name: String
    var kind: ValueKind
    /// The parameter of the method that it becomes; nil where the command does something else.
    var parameter: String?
    var summary: String
    var isRequired = true
}
