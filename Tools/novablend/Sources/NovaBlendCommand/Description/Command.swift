/// A command, described once: parser, help, completions and manual page come from it.
struct Command: Sendable {
    /// A line to type, and what it does.
    struct Example: Sendable {
        var line: String
        var summary: String

        init(_ line: String, _ summary: String) {
            self.line = line
            self.summary = summary
        }
    }

    /// What carries a command out.
    enum Action: Sendable {
        case serve, doctor, completions, manual
        case call(MethodCall)
    }

    var name: String
    /// What it does, in a sentence without its full stop.
    var summary: String
    /// What else there is to know, a paragraph each.
    var details: [String] = []
    var arguments: [Argument] = []
    /// Its own options, beside those that it shares with others.
    var ownOptions: [Option] = []
    var examples: [Example]
    var action: Action

    /// Every option that it takes.
    var options: [Option] {
        switch action {
        case .serve: ownOptions + Option.connection + [.help]
        case .call, .doctor: ownOptions + [.json] + Option.connection + [.help]
        case .completions, .manual: ownOptions + [.help]
        }
    }

    /// How it is typed, in one line.
    var usage: String {
        let own = ownOptions.map(\.usage)
        let placed = arguments.map { $0.isRequired ? $0.name : "[\($0.name)]" }
        return (["novablend", name] + placed + own).joined(separator: " ")
    }

    /// The JSON-RPC methods behind it.
    var methods: [String] {
        if case .call(let call) = action { call.methods } else { [] }
    }
}
