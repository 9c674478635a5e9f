public import Domain

/// A directory that knows one answer.
public struct SalonDirectoryStub: SalonDirectory {
    private let answer: SalonLookup

    /// Makes a directory that gives `answer` for every salon.
    public init(_ answer: SalonLookup) {
        self.answer = answer
    }

    /// Gives the answer.
    public func salon(_ id: SalonID) async -> SalonLookup { answer }
}
