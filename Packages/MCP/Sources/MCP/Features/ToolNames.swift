import JSONRPC

/// Replaces method names in texts with tool names. Summaries and errors refer to methods, but
/// models only know tools.
struct ToolNames: Sendable {
    private let methods: Set<String>

    /// Replaces the names of `methods`.
    init(ofMethods methods: some Sequence<String>) {
        self.methods = Set(methods)
    }

    /// Returns `error` with method names in its message replaced by tool names.
    func replacingMethods(in error: RPCError) -> RPCError {
        var replaced = error
        replaced.message = replacingMethods(in: error.message)
        return replaced
    }

    /// Returns `text` with method names replaced by tool names.
    func replacingMethods(in text: String) -> String {
        var (result, word) = ("", "")
        func addWord() {
            result += methods.contains(word) ? Tool.name(ofMethod: word) : word
            word = ""
        }
        for character in text {
            if character.isLetter || character.isNumber || "/-_".contains(character) {
                word.append(character)
            } else {
                addWord()
                result.append(character)
            }
        }
        addWord()
        return result
    }
}
