import SystemSupport

/// The kind of value that an argument or option takes.
public struct ValueKind: Sendable {
    /// What a shell offers as completions.
    public enum Completion: Sendable, Hashable {
        /// Nothing.
        case none
        /// Files and directories.
        case files
        /// Only directories.
        case directories
        /// One of these words.
        case words([String])
        /// What ``Program/complete`` returns.
        case candidates
    }

    /// The placeholder for the value in help, such as `FILE`.
    public var placeholder: String { word ?? words.joined(separator: "|") }
    /// Nil if the placeholder is the words that a shell offers. Most starts show no help, so they are
    /// joined when they are needed.
    private let word: String?
    /// What a shell offers as completions.
    public var completion: Completion
    /// The values that help lists before the summary, because the placeholder does not show them.
    public var listedValues: [String]
    /// Returns what is wrong with a value, as a phrase that follows the name: `must be a number`;
    /// nil for a valid value. The phrase never contains the value, which may be secret.
    private let check: @Sendable (String) -> String?

    /// Creates a kind of value.
    ///
    /// - Parameters:
    ///   - placeholder: The word for the value in the help, such as `FILE`; nil for the words of
    ///     `completion`.
    ///   - completion: What a shell offers as completions.
    ///   - listedValues: The values that help lists, if the placeholder does not show them.
    ///   - problem: Returns what is wrong with a value, as a phrase that follows the name: `must be
    ///     a number`; nil for a valid value. Do not repeat the value, which may be secret.
    public init(
        _ placeholder: String?,
        completion: Completion = .none,
        listedValues: [String] = [],
        problem: @escaping @Sendable (String) -> String? = { value in
            value.isEmpty ? "must not be empty" : nil
        }
    ) {
        word = placeholder
        self.completion = completion
        self.listedValues = listedValues
        check = problem
    }

    /// Whether a value is a path, which may be any bytes.
    private var isPath: Bool { completion == .files || completion == .directories }

    /// What is wrong with a value; nil for a valid one.
    func problem(_ value: String) -> String? {
        isPath || value.isUTF8 ? check(value) : "must be UTF-8"
    }

    /// The words that a shell offers as completions.
    var words: [String] {
        if case .words(let words) = completion { words } else { [] }
    }

    /// `summary`, after the values if the placeholder does not show them.
    func described(_ summary: String) -> String {
        listedValues.isEmpty ? summary : "\(Self.alternatives(listedValues)): \(summary)"
    }
}
