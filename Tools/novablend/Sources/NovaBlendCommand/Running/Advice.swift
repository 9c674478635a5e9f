/// What a person is told of an error of a method: one row of a table.
struct Advice: Sendable {
    var code: Int
    var exit: ExitCode
    /// What happened, where the error's own words are for programs.
    var happened: String?
    var kept: String
    var tries: [String]

    init(
        _ code: Int,
        _ exit: ExitCode,
        happened: String? = nil,
        kept: String,
        tries: [String]
    ) {
        self.code = code
        self.exit = exit
        self.happened = happened
        self.kept = kept
        self.tries = tries
    }

    static func of(code: Int) -> Advice {
        all.first { $0.code == code }
            ?? Advice(
                code,
                code < 0 ? .internalError : .failed,
                kept: "what was kept is as it was",
                tries: ["novablend doctor"]
            )
    }

    /// What happened, with the reason behind the colon of `message`.
    func sentence(from message: String) -> String {
        guard let happened else { return message }
        guard let colon = message.range(of: ": ") else { return happened }
        return "\(happened): \(message[colon])"
    }
}

extension StringProtocol {
    /// What follows the first `mark`.
    fileprivate func range(of mark: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(mark) {
                return index(start, offsetBy: mark.count)..<endIndex
            }
            start = index(after: start)
        }
        return nil
    }
}
