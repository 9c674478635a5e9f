import Glibc
import SystemSupport

/// How this program authenticates to the server. Secrets are read when they are needed.
public struct Credentials: Sendable, Hashable {
    /// Where a token comes from.
    public enum Token: Sendable, Hashable {
        /// The first line of a file that only its owner can read.
        case file(String)
        /// The first line that a program prints. The words are the program and its arguments.
        case command([String])
        /// The environment variable `NOVABLEND_TOKEN`.
        case environment(BearerToken)
    }

    /// Where the token comes from; nil for no token.
    public var token: Token?
    /// The client certificate for mutual TLS, a PEM file; nil for none.
    public var certificateFile: String?
    /// The private key of ``certificateFile``, a PEM file; nil if that file contains it.
    public var keyFile: String?

    /// Creates credentials.
    public init(token: Token? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
        self.token = token
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }

    /// Where the credentials come from, without any secret: `none`, `token-file PATH`,
    /// `token-command`, `NOVABLEND_TOKEN`, `client-certificate PATH`, or a token and a certificate.
    public var source: String {
        let sources = [token?.source, certificateFile.map { "client-certificate \($0)" }]
            .compactMap(\.self)
        return sources.isEmpty ? "none" : sources.joined(separator: ", ")
    }

    /// Bytes that identify the present credentials and must stay secret; nil if they are not known. Does
    /// not run a token command: `tokens` has its token if it has run.
    package func identity(_ tokens: TokenSource?) -> [UInt8]? {
        var bytes: [UInt8] = []
        if let token {
            guard let present = tokens?.current ?? token.present else { return nil }
            bytes += present.secret.utf8
        }
        bytes.append(0)
        if let certificateFile {
            // The certificate is not secret, but the key to it proves the identity.
            guard let certificate = Self.contents(ofFile: certificateFile) else { return nil }
            bytes += certificate
        }
        return bytes
    }

    /// The first 64 KiB of a file; nil if it cannot be read.
    private static func contents(ofFile path: String) -> ArraySlice<UInt8>? {
        let descriptor = open(path.systemBytes, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : bytes[..<count]
    }

    /// Checks that a token file contains a token and that no other user can access it. Does not run
    /// a token command or send a request.
    public func check() throws(CredentialError) {
        if case .file(let path) = token { _ = try TokenFile(path: path).read() }
    }
}

extension Credentials.Token {
    /// See ``Credentials/source``.
    package var source: String {
        switch self {
        case .file(let path): "token-file \(path)"
        case .command: "token-command"
        case .environment: "NOVABLEND_TOKEN"
        }
    }

    /// The token, unless a program must be run to get it.
    fileprivate var present: BearerToken? {
        switch self {
        case .file(let path): try? TokenFile(path: path).read()
        case .command: nil
        case .environment(let token): token
        }
    }

    /// Reads the current token.
    func fetch() async throws(CredentialError) -> BearerToken {
        switch self {
        case .file(let path): try TokenFile(path: path).read()
        case .command(let words): try await TokenCommand(words: words).run()
        case .environment(let token): token
        }
    }
}

/// The credentials cannot be read or are invalid. The error never contains a secret.
public struct CredentialError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why the credentials cannot be used.
    public let description: String
    /// What the user can do about the error.
    public let advice: String

    init(_ description: String, advice: String) {
        self.description = description
        self.advice = advice
    }

    static func malformed(_ source: String) -> CredentialError {
        CredentialError(
            "\(source) has no valid token in its first line (RFC 6750, section 2.1)",
            advice: "a token consists of letters, digits, and -._~+/ and may end with ="
        )
    }
}

/// A token that satisfies RFC 6750, section 2.1 (`b64token`), so it cannot contain a line break
/// that would end its header field.
public struct BearerToken: Sendable, Hashable {
    /// The secret. Use it only in requests.
    let secret: String

    /// The maximum length of a token, in bytes. Servers often limit all headers together to 8 KiB.
    static let maximumLength = 8_000

    /// Reads the first line of `text` without surrounding white space; nil if that is not a token.
    init?(firstLineOf text: some StringProtocol) {
        let line = text.prefix { $0 != "\n" && $0 != "\r\n" }.drop { $0.isWhitespace }
        let end = line.lastIndex { !$0.isWhitespace }.map(line.index(after:))
        let word = line[..<(end ?? line.startIndex)]
        let body = word.prefix { $0 != "=" }
        guard !body.isEmpty, word.utf8.count <= Self.maximumLength,
            body.utf8.allSatisfy(Self.isTokenByte),
            word[body.endIndex...].allSatisfy({ $0 == "=" })
        else { return nil }
        secret = String(word)
    }

    /// Reads the value of `NOVABLEND_TOKEN`. Throws if it is not a token.
    public init(environment value: String) throws(CredentialError) {
        guard let token = BearerToken(firstLineOf: value) else {
            throw .malformed("NOVABLEND_TOKEN")
        }
        self = token
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/".utf8.contains(byte)
        }
    }
}

extension BearerToken: CustomStringConvertible, CustomDebugStringConvertible {
    /// A placeholder, because the token is secret.
    public var description: String { "(hidden)" }
    /// A placeholder, because the token is secret.
    public var debugDescription: String { description }
}
