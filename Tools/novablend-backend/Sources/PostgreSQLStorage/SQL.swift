/// The text of a statement. Each connection prepares it once.
///
/// It is a class because connections find their prepared statement by its identity. Declare each as
/// a static constant.
final class SQL: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static let begin = SQL("BEGIN")
    static let commit = SQL("COMMIT")
    static let rollback = SQL("ROLLBACK")
}
