/// How long a load waits for the server while a fresh value is cached.
public struct SoftDeadline: Sendable {
    /// The longest wait; zero or less waits as long as the server takes.
    public var duration: Duration
    let pauses: any Pausing

    /// Makes a deadline that is measured by `pauses`.
    public init(_ duration: Duration, pauses: any Pausing) {
        self.duration = duration
        self.pauses = pauses
    }

    /// The duration in words: whole seconds, or milliseconds.
    var text: String {
        let milliseconds = Int64(duration / .milliseconds(1))
        return milliseconds.isMultiple(of: 1_000)
            ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
