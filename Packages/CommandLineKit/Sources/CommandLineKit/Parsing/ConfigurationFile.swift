import Glibc
import SystemSupport

/// A configuration file with lines `key = value` and, if the program has profiles, sections
/// `[profile NAME]`. A key is the name of an option. The lines above the first section belong to the
/// default profile.
///
/// The value of a flag is `true` or `false`. A line that begins with `#` is a comment. The other
/// profiles inherit some keys of the default profile. Errors suggest the options `--config` and, if
/// a profile is unknown, `--profile`, so a program should have them.
public struct ConfigurationFile: Sendable {
    /// The keys that a file may contain.
    public struct Schema: Sendable {
        var options: [any CommandOption]
        /// The names of inherited options; nil if a file can only have the default profile.
        var inheritedKeys: Set<String>?

        /// Creates the schema of a file.
        ///
        /// - Parameters:
        ///   - options: The options whose names are the keys.
        ///   - inherited: The options that the other profiles inherit from the default profile; nil
        ///     for files without sections.
        public init(options: [any CommandOption], inherited: [any CommandOption]? = nil) {
            self.options = options
            inheritedKeys = inherited.map { Set($0.map(\.name)) }
        }
    }

    /// The profile that has no section.
    public static let defaultProfile = "default"
    /// The maximum size of a file in bytes.
    static let maximumSize = 64 << 10

    /// The value of a flag that is off.
    struct Off: Sendable {}

    let schema: Schema
    let path: String
    private var profiles: [String: OptionValues] = [:]
}

extension ConfigurationFile {
    /// Parses the text of a file. Throws `configuration` with `path` and the number of the line.
    public init(_ text: String, path: String, schema: Schema) throws(CommandError) {
        self.init(schema: schema, path: path)
        profiles = try parse(text)
    }

    /// Reads and parses a file of at most 64 KiB. Throws `configuration` if the file cannot be read,
    /// is larger, or is invalid.
    ///
    /// - Parameters:
    ///   - path: A file that must exist; nil for `defaultPath`.
    ///   - defaultPath: A file that does not have to exist; nil for none, as when there is no home
    ///     directory.
    ///   - schema: The keys that the file may contain.
    public static func load(
        _ path: String?,
        defaultPath: String?,
        schema: Schema
    ) throws(CommandError) -> ConfigurationFile {
        let chosen = path ?? defaultPath ?? "the configuration file"
        guard path ?? defaultPath != nil, let text = try read(chosen, mayBeMissing: path == nil)
        else { return ConfigurationFile(schema: schema, path: chosen) }
        return try ConfigurationFile(text, path: chosen, schema: schema)
    }

    /// The values of a profile, including inherited ones. A flag that is off is absent. Throws
    /// `configuration` if the profile does not exist.
    public func values(ofProfile profile: String) throws(CommandError) -> OptionValues {
        var values = profiles[Self.defaultProfile] ?? OptionValues()
        if profile != Self.defaultProfile {
            guard let own = profiles[profile] else { throw unknownProfile(profile) }
            let inheritedKeys = schema.inheritedKeys ?? []
            values.values = values.values.filter { inheritedKeys.contains($0.key) }
            values = values.merging(own)
        }
        values.values = values.values.filter { !($0.value is Off) }
        return values
    }

    private func unknownProfile(_ profile: String) -> CommandError {
        let names = profiles.keys.filter { $0 != Self.defaultProfile }.sorted()
        let hint = NearestName.hint(for: profile, among: names + [Self.defaultProfile])
        return CommandError(
            .configuration,
            "no profile \(SafeText.line(profile)) in \(path)\(hint)",
            suggestions: names.map { "--profile \($0)" }
                + ["add a section [profile NAME] to the file, or omit --profile"]
        )
    }

    private static func read(
        _ path: String,
        mayBeMissing: Bool
    ) throws(CommandError) -> String? {
        let descriptor = open(path.systemBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if mayBeMissing, errno == ENOENT || errno == ENOTDIR { return nil }
            throw CommandError(.configuration, "\(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= maximumSize
        else {
            throw CommandError(
                .configuration,
                "\(path): must be a regular file of at most \(maximumSize) bytes"
            )
        }
        var bytes = [UInt8](repeating: 0, count: maximumSize)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else {
            throw CommandError(.configuration, "\(path): \(String(cString: strerror(errno)))")
        }
        return String(systemBytes: bytes.prefix(count))
    }
}

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
