import Glibc
import Synchronization
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

/// Gets a token when it is first needed, and a new one when the server rejects it. Concurrent
/// callers share one attempt.
package final class TokenSource: Sendable {
    /// A waiting caller. It is resumed with nil if its task is cancelled.
    private typealias Waiter = CheckedContinuation<Result<BearerToken, CredentialError>?, Never>

    private enum State {
        /// No attempt was made, or the last one failed.
        case empty
        /// An attempt is in progress; these callers wait for it.
        case fetching([UInt64: Waiter])
        /// The token, until the server rejects it.
        case ready(BearerToken)
    }

    private let state = Mutex(State.empty)
    private let nextID = Atomic<UInt64>(0)
    private let fetch: @Sendable () async throws(CredentialError) -> BearerToken

    /// Creates a source that gets tokens with `fetch`.
    init(fetch: @escaping @Sendable () async throws(CredentialError) -> BearerToken) {
        self.fetch = fetch
    }

    /// The token that was used last, and has not been rejected; nil if none was.
    var current: BearerToken? {
        state.withLock { state in
            if case .ready(let token) = state { token } else { nil }
        }
    }

    /// The token; nil if the task was cancelled.
    package func token() async throws(CredentialError) -> BearerToken? {
        try await token(butNot: nil)
    }

    /// A token that replaces one that the server rejected. It may come from a concurrent call.
    /// Returns nil if the new token is the same or the task was cancelled.
    func replacement(for rejected: BearerToken) async throws(CredentialError) -> BearerToken? {
        let token = try await token(butNot: rejected)
        return token == rejected ? nil : token
    }

    private func token(
        butNot rejected: BearerToken?
    ) async throws(CredentialError) -> BearerToken? {
        let id = nextID.add(1, ordering: .relaxed).newValue
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                join(waiter, id, butNot: rejected)
                // If the task was cancelled before `join`, `onCancel` found no waiter to remove.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
        return try result?.get()
    }

    private enum Action { case resume(BearerToken), fetch, wait }

    private func join(_ waiter: Waiter, _ id: UInt64, butNot rejected: BearerToken?) {
        let action: Action = state.withLock { state in
            switch state {
            case .ready(let token) where token != rejected: return .resume(token)
            case .ready, .empty:
                state = .fetching([id: waiter])
                return .fetch
            case .fetching(var waiters):
                waiters[id] = waiter
                state = .fetching(waiters)
                return .wait
            }
        }
        switch action {
        case .resume(let token): waiter.resume(returning: .success(token))
        case .fetch: startFetching()
        case .wait: break
        }
    }

    private func startFetching() {
        Task {
            do throws(CredentialError) {
                finish(.success(try await fetch()))
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func finish(_ result: Result<BearerToken, CredentialError>) {
        let waiters: [UInt64: Waiter] = state.withLock { state in
            guard case .fetching(let waiters) = state else { return [:] }
            state = (try? result.get()).map(State.ready) ?? .empty
            return waiters
        }
        for waiter in waiters.values { waiter.resume(returning: result) }
    }

    private func leave(_ id: UInt64) {
        let waiter: Waiter? = state.withLock { state in
            guard case .fetching(var waiters) = state else { return nil }
            let waiter = waiters.removeValue(forKey: id)
            state = .fetching(waiters)
            return waiter
        }
        waiter?.resume(returning: nil)
    }
}

extension TokenSource {
    /// Creates a source for the token of `credentials`; nil if they have no token.
    package convenience init?(_ credentials: Credentials) {
        guard let token = credentials.token else { return nil }
        self.init { () async throws(CredentialError) in try await token.fetch() }
    }
}
