extension Program {
    /// Returns the values of the kind ``ShellCompletion/candidates`` that fit what was typed.
    public typealias Complete = @Sendable (CompletionRequest) async -> [CompletionCandidate]

    /// The word with which a completion script runs the program. After it, the script passes its
    /// shell, the command line up to the cursor, and for bash the part of the last word that the
    /// shell replaces.
    static let completionWord = "__complete"

    /// Prints the candidates for what a user has typed in a shell. Prints no errors, because they would
    /// appear in the middle of the user's command line.
    func printCandidates(_ arguments: ArraySlice<String>, on terminal: Terminal) async {
        let arguments = Array(arguments)
        guard let complete, arguments.count >= 2, let shell = Shell(rawValue: arguments[0]) else {
            return
        }
        let line = TypedLine(arguments[1], in: shell)
        // The line may begin with variables.
        let start = line.words.firstIndex { $0 == name || $0.hasSuffix("/\(name)") } ?? 0
        let words = Array(line.words.dropFirst(start + 1))
        guard let request = CommandLineParser(self).completionRequest(words, line.word) else {
            return
        }
        let word = BashWord(line, replacing: arguments.count > 2 ? arguments[2] : line.rawWord)
        var output: [UInt8] = []
        for candidate in await complete(request) {
            guard SafeText.line(candidate.value) == candidate.value else { continue }
            if shell == .bash {
                let value = request.prefix + candidate.value
                guard let text = word?.replacement(by: value) else { continue }
                output += text
            } else {
                output += candidate.value.utf8
                output.append(UInt8(ascii: "\t"))
                output += SafeText.line(candidate.summary ?? "").utf8
            }
            output.append(UInt8(ascii: "\n"))
        }
        try? terminal.write(output)
    }
}
