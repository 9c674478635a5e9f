import Foundation
import SystemTestSupport
import Testing

@testable import NovaBlendAccounts

@Suite("A token")
struct TokenTests {
    @Test(
        "is the first line, without white space around it",
        arguments: [
            ("abcXYZ019-._~+/", "abcXYZ019-._~+/"), ("a=", "a="), ("a==", "a=="), ("  a \n", "a"),
            ("\ta\r\nsecond line", "a"), ("a\n\nb", "a"),
        ]
    )
    func valid(text: String, secret: String) {
        #expect(BearerToken(firstLineOf: text)?.secret == secret)
    }

    @Test(
        "contains only the characters that RFC 6750 allows",
        arguments: [
            "", "\na", " ", "=", "=a", "a=b", "a b", "a\u{0}", "a\u{7F}", "a\u{B}b", "ä", "a\"",
            "a,b", "a:b",
            "a;b", "a\\", "a%", "a\u{E001}", "e\u{301}",
        ]
    )
    func invalid(text: String) {
        #expect(BearerToken(firstLineOf: text) == nil)
    }

    @Test("has a limited length")
    func length() {
        let longest = String(repeating: "a", count: BearerToken.maximumLength)
        #expect(BearerToken(firstLineOf: longest)?.secret == longest)
        #expect(BearerToken(firstLineOf: longest + "a") == nil)
        #expect(BearerToken(firstLineOf: longest + "=") == nil)
    }

    @Test("is hidden when it is printed")
    func hidden() throws {
        let token = try #require(BearerToken(firstLineOf: "s3cret"))
        let credentials = Credentials(token: .environment(try BearerToken(environment: "s3cret")))
        for text in ["\(token)", String(reflecting: token), "\(credentials)", "\([token])"] {
            #expect(!text.contains("s3cret"), "\(text)")
        }
        #expect(credentials.source == "NOVABLEND_TOKEN")
    }

    @Test("and a certificate are described without a secret")
    func sources() {
        #expect(Credentials().source == "none")
        #expect(Credentials(token: .file("/t")).source == "token-file /t")
        #expect(Credentials(token: .command(["x", "s3cret"])).source == "token-command")
        let both = Credentials(token: .file("/t"), certificateFile: "/c", keyFile: "/k")
        #expect(both.source == "token-file /t, client-certificate /c")
    }

    @Test(
        "command is split into words without a shell",
        arguments: [
            ("a b", ["a", "b"]), ("  a\t b ", ["a", "b"]), ("'a b' \"c 'd\"", ["a b", "c 'd"]),
            ("a'b'\"c\"d", ["abcd"]), ("a '' \"\"", ["a", "", ""]), ("", []),
            ("a\\ b", ["a\\", "b"]),
            ("$HOME `x` $(y) | z", ["$HOME", "`x`", "$(y)", "|", "z"]), ("a 'b", nil), ("a\"", nil),
        ] as [(String, [String]?)]
    )
    func words(line: String, words: [String]?) {
        #expect(CommandWords.split(line) == words)
    }
}

@Suite("A token file")
struct TokenFileTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/token" }

    init() throws {
        directory = try TemporaryDirectory()
        try Data("a\n".utf8).write(to: URL(filePath: directory.path + "/token"))
    }

    private func failure(mode: Int) throws -> CredentialError? {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
        do throws(CredentialError) {
            _ = try TokenFile(path: path).read()
            return nil
        } catch {
            return error
        }
    }

    @Test("is read if no other user can read or write it", arguments: [0o600, 0o400, 0o700, 0o611])
    func accepted(mode: Int) throws { #expect(try failure(mode: mode) == nil) }

    @Test(
        "is rejected if other users can read or write it, and the error shows how to fix that",
        arguments: [0o640, 0o620, 0o604, 0o602, 0o644, 0o666]
    )
    func rejected(mode: Int) throws {
        #expect(try failure(mode: mode)?.advice == "chmod 600 '\(path)'")
    }

    @Test("is rejected if it belongs to a different user", .enabled(if: geteuid() == 0))
    func owner() throws {
        #expect(chown(path, 12_345, 12_345) == 0)
        #expect(try failure(mode: 0o600)?.description.contains("user 12345") == true)
    }

    @Test("is rejected if it is missing, is a directory, or is too long")
    func other() throws {
        let long = Data(repeating: UInt8(ascii: "a"), count: (16 << 10) + 1)
        try long.write(to: URL(filePath: path))
        #expect(try failure(mode: 0o600) != nil)
        for name in ["/missing", ""] {
            #expect(throws: CredentialError.self) {
                try TokenFile(path: directory.path + name).read()
            }
        }
    }
}
