/// A value, or a switch, that is told by its name.
struct Option: Sendable {
    var name: String
    /// What value it takes; nil for a switch.
    var kind: ValueKind?
    /// Whether the value may be left out; then it is given as `--name=VALUE` alone.
    var isValueOptional = false
    /// Whether the command does nothing without it.
    var isRequired = false
    /// The parameter of the method that it becomes; nil where the command does something else.
    var parameter: String?
    var summary: String

    /// A switch.
    init(_ name: String, parameter: String? = nil, _ summary: String) {
        self.name = name
        self.parameter = parameter
        self.summary = summary
    }

    init(
        _ name: String,
        _ kind: ValueKind,
        isValueOptional: Bool = false,
        isRequired: Bool = false,
        parameter: String? = nil,
        _ summary: String
    ) {
        self.name = name
        self.kind = kind
        self.isValueOptional = isValueOptional
        self.isRequired = isRequired
        self.parameter = parameter
        self.summary = summary
    }

    /// `--limit N`
    var spelling: String {
        guard let kind else { return "--\(name)" }
        return isValueOptional ? "--\(name)[=\(kind.placeholder)]" : "--\(name) \(kind.placeholder)"
    }

    var usage: String { isRequired ? spelling : "[\(spelling)]" }
}

extension Option {
    static let help = Option("help", "show this help")
    static let json = Option("json", "print the result as the JSON of one line, for scripts")
}
