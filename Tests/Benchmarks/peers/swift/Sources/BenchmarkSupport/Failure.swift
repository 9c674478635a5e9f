/// An error that ends a benchmark.
public struct Failure: Error {
    let message: String

    /// Makes an error with a message for the user.
    public init(_ message: String) { self.message = message }
}
