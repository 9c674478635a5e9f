/// The text of a statement. Each connection prepares it once.
///
/// It is a class because connections find their prepared statement by its identity. Declare each as
/// a static constant.
final class SQL: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static let begin = SQL("BEGIN")
    /// How long a transaction of several callers waits for a lock. One may wait longer in a transaction
    /// of its own.
    static let limitLockTime = SQL("SET LOCAL lock_timeout = '200ms'")
    static let commit = SQL("COMMIT")
    static let rollback = SQL("ROLLBACK")
}
