import SystemSupport

// Parses the text of a configuration file.
extension ConfigurationFile {
    private static let maximumNameLength = 64

    /// The values of each profile by key.
    func parse(_ text: String) throws(CommandError) -> [String: OptionValues] {
        var profiles = [Self.defaultProfile: OptionValues()]
        var profile = Self.defaultProfile
        // In Swift, CR LF is a single character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let number = index + 1
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("[") {
                profile = try self.profile(in: line, number)
                guard profiles.updateValue(OptionValues(), forKey: profile) == nil else {
                    throw error("duplicate section for profile \(profile)", number)
                }
                continue
            }
            let (key, value) = try setting(in: line, number)
            guard
                profiles[profile, default: OptionValues()].values.updateValue(value, forKey: key)
                    == nil
            else {
                throw error("duplicate key \(key)", number)
            }
        }
        return profiles
    }

    /// The name of the profile in a line `[profile NAME]`.
    private func profile(in line: Substring, _ number: Int) throws(CommandError) -> String {
        guard schema.inheritedKeys != nil else {
            throw error("the file cannot have sections", number)
        }
        let words = line.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
        guard line.hasSuffix("]"), words.count == 2, words[0] == "profile" else {
            throw error("a section must have the form [profile NAME]", number)
        }
        guard words[1] != Self.defaultProfile else {
            throw error(
                "the default profile has no section: write its keys above the first section",
                number
            )
        }
        let isValid =
            words[1].count <= Self.maximumNameLength
            && words[1].allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0))
            }
        guard isValid else {
            throw error(
                "a profile name must consist of at most \(Self.maximumNameLength) letters, digits, "
                    + "'-', '_', or '.'",
                number
            )
        }
        return String(words[1])
    }

    private func setting(
        in line: Substring,
        _ number: Int
    ) throws(CommandError) -> (key: String, value: any Sendable) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw error("a line must have the form key = value", number) }
        let (key, value) = (String(Self.trimmed(parts[0])), String(Self.trimmed(parts[1])))
        guard let option = schema.options.first(where: { $0.name == key }) else {
            let hint = NearestName.hint(for: key, among: schema.options.map(\.name))
            throw error("unknown key \(SafeText.line(key))\(hint)", number)
        }
        guard let kind = option.anyKind else {
            guard ["true", "false"].contains(value) else {
                throw error("\(key) must be true or false", number)
            }
            return (key, value == "true" ? true : Off())
        }
        do {
            return (key, try kind.value(of: value))
        } catch {
            throw self.error("\(key) \(error.problem)", number)
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let rest = text.drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return rest[...last]
    }

    private func error(_ message: String, _ number: Int) -> CommandError {
        CommandError(
            .configuration,
            "\(path):\(number): \(message)",
            suggestions: ["correct the line, or name a different file with --config FILE"]
        )
    }
}
