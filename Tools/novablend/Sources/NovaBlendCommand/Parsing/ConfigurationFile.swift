import Glibc

/// The file of settings: `key = value` lines, where a key is the name of an option.
struct ConfigurationFile: Sendable {
    /// What it sets, by the names of options; a switch that is on is empty.
    let values: [String: String]

    static let none = ConfigurationFile(values: [:])
    private static let longest = 64 << 10

    private init(values: [String: String]) { self.values = values }

    /// Reads the one that was named, which must be there, or the one at its usual place, which need
    /// not be. Throws `configuration`.
    static func load(named path: String?) throws(CommandFailure) -> ConfigurationFile {
        guard let found = path ?? usualPath else { return none }
        guard let bytes = try read(found, mayBeMissing: path == nil) else { return none }
        return try ConfigurationFile(String(decoding: bytes, as: UTF8.self), path: found)
    }

    /// Reads the text of one; `path` is for messages.
    init(_ text: String, path: String) throws(CommandFailure) {
        var values: [String: String] = [:]
        // A line's end with a carriage return is one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (number, line) in lines.enumerated() {
            let place = "\(path):\(number + 1)"
            guard let (key, value) = try Self.setting(in: line, place) else { continue }
            guard values.updateValue(value, forKey: key) == nil else {
                throw Self.wrong("\(key) is there twice", place)
            }
        }
        for (key, value) in values where value == Self.off {
            values[key] = nil
        }
        self.values = values
    }

    /// `$XDG_CONFIG_HOME/novablend/config`, by absolute path only.
    static var usualPath: String? {
        Directories.xdg("XDG_CONFIG_HOME", ".config").map { $0 + "/config" }
    }

    /// A switch that is off; no value of a key that takes one has a line's end in it.
    private static let off = "\n"

    private static func setting(
        in line: Substring,
        _ place: String
    ) throws(CommandFailure) -> (key: String, value: String)? {
        let line = trimmed(line)
        if line.isEmpty || line.hasPrefix("#") { return nil }
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
        let isBlank = { (character: Character) in character.isWhitespace }
        let rest = text.drop(while: isBlank)
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
