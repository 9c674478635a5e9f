import Contract

extension Problem {
    /// The kinds of errors that the backend sends.
    typealias Kind = ErrorKind
}

extension ErrorKind {
    /// Whether the response may offer other times.
    var hasAlternatives: Bool {
        [.slotUnavailable, .notBookable, .outsideOpeningHours].contains(self)
    }

    /// Whether the response may have `Retry-After`.
    var isTemporary: Bool {
        [.storage, .overloaded, .tooManyHolds, .tooManyRequests].contains(self)
    }
}
