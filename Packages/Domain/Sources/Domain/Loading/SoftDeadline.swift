/// The time after which a load returns a fresh cached value if the server has not responded.
public struct SoftDeadline: Sendable {
    /// The maximum wait. Zero or a negative duration means no deadline.
    public var duration: Duration
    let pauses: any Pausing

    /// Creates a deadline that waits with `pauses`.
    public init(_ duration: Duration, pauses: any Pausing) {
        self.duration = duration
        self.pauses = pauses
    }

    /// The duration as text, in seconds if it is a whole number of them, otherwise in milliseconds.
    var text: String {
        let milliseconds = Int64(duration / .milliseconds(1))
        return milliseconds.isMultiple(of: 1_000)
            ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
