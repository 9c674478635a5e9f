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

extension ValueKind<String> {
    /// Any text that is not empty.
    public static func text(
        _ placeholder: String,
        completion: ShellCompletion = .none
    ) -> ValueKind {
        ValueKind(placeholder, "must not be empty", completion: completion) { text in
            text.isEmpty ? nil : text
        }
    }

    /// The path of a file or a directory.
    public static let file = text("FILE", completion: .files)

    /// An absolute path of a directory.
    public static let absoluteDirectory = ValueKind(
        "DIR",
        "must be an absolute path",
        completion: .directories
    ) { text in
        text.hasPrefix("/") ? text : nil
    }

    /// One of `values`. Without a placeholder, help shows the values separated by `|`.
    public static func choice(_ values: [String], _ placeholder: String? = nil) -> ValueKind {
        choice(values, placeholder) { values.contains($0) ? $0 : nil }
    }

    /// A URL with a host and one of `schemes`, and without white space. What follows the host is
    /// not checked further.
    ///
    /// - Parameters:
    ///   - schemes: The accepted schemes, in lower case.
    ///   - example: A valid URL, for the error message.
    ///   - keyword: A word that is accepted instead of a URL.
    public static func url(
        schemes: [String] = ["http", "https"],
        example: String = "https://server.example",
        or keyword: String? = nil
    ) -> ValueKind {
        ValueKind(
            "URL",
            "must be \(keyword.map { "\($0) or " } ?? "")a URL such as \(example)",
            completion: keyword.map { .words([$0]) } ?? .none
        ) { text in
            text == keyword || isURL(text, schemes) ? text : nil
        }
    }

    private static func isURL(_ text: String, _ schemes: [String]) -> Bool {
        let lowercase = text.lowercased()
        guard let scheme = schemes.first(where: { lowercase.hasPrefix("\($0)://") }),
            let first = text.dropFirst(scheme.count + 3).first
        else { return false }
        return !"/:?#@".contains(first) && !text.contains(where: \.isWhitespace)
    }
}

extension ValueKind where Value: FixedWidthInteger {
    /// An integer in `range`. An upper bound of `Int.max` means no upper bound.
    public static func integer(
        _ range: ClosedRange<Value>,
        _ placeholder: String = "N"
    ) -> ValueKind {
        ValueKind(placeholder, "must be a whole number \(bounds(of: range))") { text in
            Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    private static func bounds(of range: ClosedRange<Value>) -> String {
        Int(exactly: range.upperBound) == .max
            ? "of at least \(range.lowerBound)"
            : "from \(range.lowerBound) to \(range.upperBound)"
    }
}

extension ValueKind<Duration> {
    /// A number of seconds from 0 to `maximum`, which may have decimals. It is rounded to milliseconds.
    public static func seconds(upTo maximum: Int) -> ValueKind {
        ValueKind("SECONDS", "must be a number of seconds from 0 to \(maximum), such as 0.5") {
            guard let seconds = decimal($0), seconds <= Double(maximum) else { return nil }
            return .milliseconds(Int((seconds * 1_000).rounded()))
        }
    }

    /// Parses digits and at most one decimal point. `Double.init` also accepts `inf` and `0x1p3`.
    private static func decimal(_ text: String) -> Double? {
        let isPlain = text.allSatisfy { "0"..."9" ~= $0 || $0 == "." } && text.first != "."
        return isPlain ? Double(text) : nil
    }
}

extension ValueKind where Value: CaseIterable & RawRepresentable<String> {
    /// One of the cases of an enumeration, by its raw value. Without a placeholder, help shows the
    /// values separated by `|`.
    @inlinable
    public static func choice(_ type: Value.Type, _ placeholder: String? = nil) -> ValueKind {
        // Inlinable, because the raw values of an unknown type cost many instructions at startup.
        choice(Value.allCases.map { $0.rawValue }, placeholder) { Value(rawValue: $0) }
    }
}

extension ValueKind {
    @usableFromInline
    static func choice(
        _ values: [String],
        _ placeholder: String?,
        parse: @escaping @Sendable (String) -> Value?
    ) -> ValueKind {
        ValueKind(
            placeholder,
            "must be \(InvalidValue.alternatives(values))",
            completion: .words(values),
            listedValues: placeholder == nil ? [] : values,
            parse: parse
        )
    }
}

/// What a shell offers as completions of a value.
public enum ShellCompletion: Sendable, Hashable {
    /// The shell offers nothing.
    case none
    /// The shell offers files and directories.
    case files
    /// The shell offers only directories.
    case directories
    /// The shell offers these words.
    case words([String])
    /// The shell offers what ``Program/complete`` returns.
    case candidates
}
