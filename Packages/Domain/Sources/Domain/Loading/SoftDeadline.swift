/// How long a load waits for the server while a fresh value is cached.
public struct SoftDeadline: Sendable {
    /// The longest wait in milliseconds; zero or less waits as long as the server takes.
    public var milliseconds: Int
    let pauses: any Pausing

    /// Makes a deadline that is measured by `pauses`.
    public init(milliseconds: Int, pauses: any Pausing) {
        self.milliseconds = milliseconds
        self.pauses = pauses
    }

    /// The time in words.
    var text: String {
        milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
