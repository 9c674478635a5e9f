import SystemSupport

/// The kind of value that an argument or option takes, and how it is parsed.
public struct ValueKind<Value: Sendable>: Sendable {
    /// Parses a value. A value that is not valid is an error.
    public typealias Parse = @Sendable (String) throws(InvalidValue) -> Value

    /// The placeholder for the value in help, such as `FILE`.
    public var placeholder: String { word ?? words.joined(separator: "|") }
    /// The placeholder; nil if it consists of the words that a shell offers. These are only joined
    /// when help is shown, because most starts show none.
    private let word: String?
    /// What a shell offers as completions.
    public var completion: ShellCompletion
    /// The values that help lists before the summary, because the placeholder does not show them.
    public var listedValues: [String]
    private let parse: Parse

    /// Creates a kind of value.
    ///
    /// - Parameters:
    ///   - placeholder: The word for the value in the help, such as `FILE`; nil for the words of
    ///     `completion`.
    ///   - completion: What a shell offers as completions.
    ///   - listedValues: The values that help lists, if the placeholder does not show them.
    ///   - parse: Parses a value.
    public init(
        _ placeholder: String?,
        completion: ShellCompletion = .none,
        listedValues: [String] = [],
        parse: @escaping Parse
    ) {
        word = placeholder
        self.completion = completion
        self.listedValues = listedValues
        self.parse = parse
    }

    /// Creates a kind of value whose invalid values all have the same problem.
    ///
    /// - Parameters:
    ///   - placeholder: The word for the value in the help, such as `FILE`; nil for the words of
    ///     `completion`.
    ///   - problem: What is wrong with an invalid value, as a phrase that follows the name of the
    ///     argument or option, such as `must be a number`.
    ///   - completion: What a shell offers as completions.
    ///   - listedValues: The values that help lists, if the placeholder does not show them.
    ///   - parse: Parses a value; nil if it is not valid.
    public init(
        _ placeholder: String?,
        _ problem: @escaping @autoclosure @Sendable () -> String,
        completion: ShellCompletion = .none,
        listedValues: [String] = [],
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(placeholder, completion: completion, listedValues: listedValues) {
            text throws(InvalidValue) in
            guard let value = parse(text) else { throw InvalidValue(problem()) }
            return value
        }
    }

    /// A kind of the same values in a different form.
    public func map<Output>(
        _ convert: @escaping @Sendable (Value) -> Output
    ) -> ValueKind<Output> {
        ValueKind<Output>(word, completion: completion, listedValues: listedValues) {
            [parse] text throws(InvalidValue) in convert(try parse(text))
        }
    }

    /// Whether a value is a path, which may be any bytes.
    private var isPath: Bool { completion == .files || completion == .directories }

    /// Parses a value.
    func value(of text: String) throws(InvalidValue) -> Value {
        guard isPath || text.isUTF8 else { throw InvalidValue("must be UTF-8") }
        return try parse(text)
    }

    /// The words that a shell offers as completions.
    var words: [String] {
        if case .words(let words) = completion { words } else { [] }
    }

    /// The text of help: `summary`, preceded by the possible values if the placeholder does not
    /// show them.
    func described(_ summary: String) -> String {
        listedValues.isEmpty ? summary : "\(InvalidValue.alternatives(listedValues)): \(summary)"
    }
}

/// What is wrong with a value.
public struct InvalidValue: Error, Sendable, Hashable {
    /// A phrase that follows the name of the argument or option, such as `must be a number`. It
    /// does not contain the value, which may be secret.
    public var problem: String

    /// Creates an error.
    public init(_ problem: String) { self.problem = problem }

    /// Joins values into a phrase: `a`, `a or b`, or `a, b, or c`.
    static func alternatives(_ values: [String]) -> String {
        guard let last = values.last, values.count > 2 else {
            return values.joined(separator: " or ")
        }
        return values.dropLast().joined(separator: ", ") + ", or " + last
    }
}
