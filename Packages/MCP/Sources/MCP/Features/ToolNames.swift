/// The names of tools. Texts of methods name other methods; models see the tool names instead.
struct ToolNames: Sendable {
    private let methods: Set<String>

    /// The names of the tools of `methods`.
    init(ofMethods methods: some Sequence<String>) {
        self.methods = Set(methods)
    }

    /// The method's name with `_` instead of `/`: most clients do not allow slashes.
    static func name(ofMethod method: String) -> String {
        String(method.map { $0 == "/" ? "_" : $0 })
    }

    /// `text` with the names of tools instead of those of their methods.
    func replacingMethods(in text: String) -> String {
        var (result, word) = ("", "")
        func addWord() {
            result += methods.contains(word) ? Self.name(ofMethod: word) : word
            word = ""
        }
        for character in text {
            if character.isLetter || character == "/" {
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
