import Foundation
import Testing

@testable import CommandLineKit

@Suite("Configuration file")
struct ConfigurationFileTests {
    private static let schema = ConfigurationFile.Schema(
        options: Library.connection.options,
        inherited: [Library.cache, Library.readOnly]
    )

    private func values(_ text: String, of profile: String = "default") throws -> OptionValues {
        try ConfigurationFile(text, path: "f", schema: Self.schema).values(ofProfile: profile)
    }

    @Test("A file sets options by name, with comments, blank lines, and spaces")
    func settings() throws {
        let text =
            "# comment\n\n server =  https://a.example/x=y \r\nread-only = true\n #x\ntimeout=1"
        let values = try values(text)
        #expect(values[Library.server] == "https://a.example/x=y" && !values.has(Library.cache))
        #expect(values[Library.readOnly] == true && values[Library.timeout] == .seconds(1))
        #expect(try !self.values("read-only = false").has(Library.readOnly))
    }

    @Test("Profiles inherit the keys that the program names")
    func profiles() throws {
        let text = """
            server = https://a.example
            read-only = true
            cache = /c
            [profile work]
            server = https://b.example
            read-only = false
            [ profile  home ]
            """
        #expect(try values(text)[Library.server] == "https://a.example")
        let work = try values(text, of: "work")
        #expect(work[Library.server] == "https://b.example" && work[Library.cache] == "/c")
        #expect(!work.has(Library.readOnly))
        let home = try values(text, of: "home")
        #expect(home[Library.cache] == "/c" && home.has(Library.readOnly))
        #expect(!home.has(Library.server))
    }

    @Test("An unknown profile is rejected with the closest name")
    func unknownProfile() {
        let error = commandError { _ = try values("[profile work]\n[profile a]", of: "wrok") }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message == "no profile wrok in f; did you mean work?")
        #expect(error?.suggestions.prefix(2) == ["--profile a", "--profile work"])
    }

    @Test(
        "A file that is not valid is rejected with the line number",
        arguments: [
            ("server", "f:1: a line must have the form key = value"),
            ("\nsevrer = x", "f:2: unknown key sevrer; did you mean server?"),
            ("read-only = yes", "f:1: read-only must be true or false"),
            ("cache = here", "f:1: cache must be an absolute path"),
            ("cache =", "f:1: cache must be an absolute path"),
            ("timeout = 1\ntimeout = 1", "f:2: duplicate key timeout"),
            ("[work]", "f:1: a section must have the form [profile NAME]"),
            ("[profile]", "f:1: a section must have the form [profile NAME]"),
            ("[profile a b]", "f:1: a section must have the form [profile NAME]"),
            ("[profile a", "f:1: a section must have the form [profile NAME]"),
            ("[profiles a]", "f:1: a section must have the form [profile NAME]"),
            (
                "[profile default]",
                "f:1: the default profile has no section: write its keys above the first section"
            ),
            ("[profile a]\n[profile a]", "f:2: duplicate section for profile a"),
            ("[profile a]\ncache = /a\ncache = /a", "f:3: duplicate key cache"),
        ]
    )
    func wrong(text: String, message: String) {
        let error = commandError { _ = try values(text) }
        #expect(error?.exitCode == .configuration && error?.message == message)
    }

    @Test("A program without profiles accepts the same lines, but no sections")
    func withoutProfiles() throws {
        let schema = ConfigurationFile.Schema(options: Library.connection.options)
        func values(_ text: String) throws -> OptionValues {
            try ConfigurationFile(text, path: "f", schema: schema).values(ofProfile: "default")
        }
        let accepted = try values("read-only = true\ncache = /c")
        #expect(accepted.has(Library.readOnly) && accepted[Library.cache] == "/c")
        for section in ["[profile work]", "[work]", "["] {
            let error = commandError { _ = try values("cache = /c\n\(section)") }
            #expect(error?.message == "f:2: the file cannot have sections")
        }
    }

    @Test("Values of a file do not replace what was typed, and reach only commands with the option")
    func defaults() throws {
        let typed = try Library.invocation(["list", "--timeout", "1"])
        let options = Library.connection.options + [Library.phone]
        let values = try ConfigurationFile(
            "timeout = 2\ncache = /c\nread-only = true\nphone = 5",
            path: "f",
            schema: ConfigurationFile.Schema(options: options)
        ).values(ofProfile: "default")
        let invocation = typed.withDefaults(values)
        #expect(invocation[Library.timeout] == .seconds(1) && invocation[Library.cache] == "/c")
        #expect(invocation.has(Library.readOnly) && !invocation.has(Library.phone))
        #expect(!typed.has(Library.cache))
    }

    @Test("A profile name has at most 64 letters, digits, -, _, and .")
    func names() throws {
        let longest = "a-B_3." + String(repeating: "x", count: 58)
        #expect(try values("[profile \(longest)]", of: longest).values.isEmpty)
        for name in [longest + "x", "a/b", "ä", "a:b"] {
            let error = commandError { _ = try values("[profile \(name)]") }
            #expect(
                error?.message.hasPrefix("f:1: a profile name must consist of at most 64") == true
            )
        }
    }

    @Test("The file may be missing at its default path, but not at a given path")
    func missing() throws {
        let path = FileManager.default.temporaryDirectory.path + "/missing/\(UUID().uuidString)"
        for defaultPath in [path, "/dev/null/config", nil] {
            let file = try ConfigurationFile.load(
                nil,
                defaultPath: defaultPath,
                schema: Self.schema
            )
            #expect(try file.values(ofProfile: "default").values.isEmpty)
        }
        let error = commandError {
            _ = try ConfigurationFile.load(path, defaultPath: nil, schema: Self.schema)
        }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message == "\(path): No such file or directory")
    }

    @Test("A file that cannot be opened is an error, even at its default path")
    func unreadable() throws {
        let path = FileManager.default.temporaryDirectory.path + "/loop-\(UUID().uuidString)"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = commandError {
            _ = try ConfigurationFile.load(nil, defaultPath: path, schema: Self.schema)
        }
        #expect(error?.message == "\(path): Too many levels of symbolic links")
    }

    @Test("A file must be a regular file of at most 64 KiB")
    func size() throws {
        let path = FileManager.default.temporaryDirectory.path + "/config-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let load = { (path: String) throws in
            try ConfigurationFile.load(path, defaultPath: "/nowhere", schema: Self.schema)
        }
        var text = "cache = /c\n#"
        text += String(repeating: "x", count: (64 << 10) - text.utf8.count)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try load(path).values(ofProfile: "default")[Library.cache] == "/c")
        try (text + "x").write(toFile: path, atomically: false, encoding: .utf8)
        for path in [path, "/dev/null", "/"] {
            let error = commandError { _ = try load(path) }
            #expect(error?.message == "\(path): must be a regular file of at most 65536 bytes")
        }
    }
}
