import Glibc

/// The configuration file: `key = value` lines, where a key is the name of an option, and sections
/// `[profile NAME]`. Lines above the first section belong to the default profile.
struct ConfigurationFile: Sendable {
    /// The values that each profile sets, by the names of options; a switch that is on is empty.
    typealias Sections = [String: [String: String]]

    static let none = ConfigurationFile(sections: [:], path: nil)
    /// The profile that needs no section.
    static let defaultProfile = "default"
    /// The value of a switch that is off; no other value has a line feed in it.
    static let off = "\n"
    private static let longest = 64 << 10

    private let sections: Sections
    private let path: String?

    private init(sections: Sections, path: String?) {
        self.sections = sections
        self.path = path
    }

    /// Reads the text of one; `path` is for messages. Throws `configuration`.
    init(_ text: String, path: String) throws(CommandFailure) {
        self.init(sections: try Self.parse(text, path: path), path: path)
    }

    /// Reads the one that was named, which must exist, or the one at its usual place, which need
    /// not. Throws `configuration`.
    static func load(named path: String?) throws(CommandFailure) -> ConfigurationFile {
        guard let found = path ?? usualPath else { return none }
        guard let bytes = try read(found, mayBeMissing: path == nil) else { return none }
        return try ConfigurationFile(String(decoding: bytes, as: UTF8.self), path: found)
    }

    /// `$XDG_CONFIG_HOME/novablend/config`, by absolute path only.
    static var usualPath: String? {
        Directories.xdg("XDG_CONFIG_HOME", ".config").map { $0 + "/config" }
    }

    /// The values of a profile, with the shared ones that it inherits from the default profile.
    /// Throws `configuration` if the file has no such profile.
    func values(of profile: String) throws(CommandFailure) -> [String: String] {
        let top = sections[Self.defaultProfile] ?? [:]
        guard profile != Self.defaultProfile else { return top.filter { $0.value != Self.off } }
        guard let own = sections[profile] else { throw unknown(profile) }
        let isShared = { (name: String) in Option.shared.contains { $0.name == name } }
        return top.filter { isShared($0.key) }.merging(own) { $1 }
            .filter { $0.value != Self.off }
    }

    private func unknown(_ profile: String) -> CommandFailure {
        let names = sections.keys.filter { $0 != Self.defaultProfile }.sorted()
        let hint = NearestName.hint(for: profile, among: names + [Self.defaultProfile])
        let file = path ?? Self.usualPath ?? "the configuration file"
        let known = names.map { "--profile \($0)" }
        return CommandFailure(
            .configuration,
            "there is no profile \(SafeText.line(profile)) in \(file)\(hint)",
            tries: known + ["a section [profile NAME] in the file, or no --profile"]
        )
    }

    private static func read(
        _ path: String,
        mayBeMissing: Bool
    ) throws(CommandFailure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if mayBeMissing, errno == ENOENT || errno == ENOTDIR { return nil }
            throw CommandFailure(.configuration, "\(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= longest
        else {
            throw CommandFailure(
                .configuration,
                "\(path): it is no file of at most \(longest) bytes"
            )
        }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else {
            throw CommandFailure(.configuration, "\(path): \(String(cString: strerror(errno)))")
        }
        return Array(bytes.prefix(count))
    }
}
