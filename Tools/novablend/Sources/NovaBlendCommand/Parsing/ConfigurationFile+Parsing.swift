extension ConfigurationFile {
    private static let longestName = 64

    /// The sections of `text`. Throws `configuration`.
    static func parse(_ text: String, path: String) throws(CommandFailure) -> Sections {
        var sections: Sections = [defaultProfile: [:]]
        var section = defaultProfile
        // CR LF is one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (number, line) in lines.enumerated() {
            let place = "\(path):\(number + 1)"
            let line = trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("[") {
                section = try profile(in: line, place)
                guard sections.updateValue([:], forKey: section) == nil else {
                    throw wrong("a section for the profile \(section) exists already", place)
                }
                continue
            }
            let (key, value) = try setting(in: line, place)
            guard sections[section, default: [:]].updateValue(value, forKey: key) == nil else {
                throw wrong("\(key) is there twice", place)
            }
        }
        return sections
    }

    /// The name in `[profile NAME]`.
    private static func profile(
        in line: Substring,
        _ place: String
    ) throws(CommandFailure) -> String {
        let words = line.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
        guard line.hasSuffix("]"), words.count == 2, words[0] == "profile" else {
            throw wrong("a section is [profile NAME]", place)
        }
        guard words[1] != defaultProfile else {
            throw wrong("the keys of the default profile stand above the first section", place)
        }
        guard isName(words[1]) else {
            throw wrong("the name of a profile has letters, digits, and -, _ or . in it", place)
        }
        return String(words[1])
    }

    private static func isName(_ name: Substring) -> Bool {
        name.count <= longestName
            && name.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0))
            }
    }

    private static func setting(
        in line: Substring,
        _ place: String
    ) throws(CommandFailure) -> (key: String, value: String) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw wrong("a line is key = value", place) }
        let (key, value) = (String(trimmed(parts[0])), String(trimmed(parts[1])))
        guard let option = Option.configurable.first(where: { $0.name == key }) else {
            let hint = NearestName.hint(for: key, among: Option.configurable.map(\.name))
            throw wrong("there is no \(SafeText.line(key))\(hint)", place)
        }
        guard let kind = option.kind else {
            guard ["true", "false"].contains(value) else {
                throw wrong("\(key) takes true or false", place)
            }
            return (key, value == "true" ? "" : off)
        }
        if let objection = kind.objection(to: value) { throw wrong("\(key) \(objection)", place) }
        return (key, value)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let rest = text.drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return rest[...last]
    }

    private static func wrong(_ what: String, _ place: String) -> CommandFailure {
        CommandFailure(
            .configuration,
            "\(place): \(what)",
            tries: ["correct the line, or name another file with --config FILE"]
        )
    }
}
