/// The port to a number that grows with every change that any process of this account sends.
///
/// A list that was requested before a change may lack it. Such a list is neither cached nor used to
/// answer a call that was made after the change.
public protocol ChangeCounter: Sendable {
    /// The number now. Equal numbers mean that no change was sent in between.
    var value: UInt64 { get }
    /// Notes that a change is about to be sent, or was confirmed.
    func advance()
}
