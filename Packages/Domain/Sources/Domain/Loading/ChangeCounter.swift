/// The port to an account's change counter. It increases whenever any process sends a change for
/// the account.
///
/// A list that was requested before a change may not show the change. Such a list is not cached and
/// does not answer calls that are made after the change.
public protocol ChangeCounter: Sendable {
    /// The current count. Equal counts mean that no change was sent in between.
    var value: UInt64 { get }
    /// Increases the count. Call this before a change is sent and after it is confirmed.
    func advance()
}
