import Glibc
import SystemSupport

/// A file with a token in its first line. It must belong to this user or to root, and no other user
/// may be able to read or write it.
struct TokenFile: Sendable {
    let path: String

    private static let maximumBytes = 16 << 10

    func read() throws(CredentialError) -> BearerToken {
        let descriptor = open(path.systemBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= Self.maximumBytes
        else { throw failure("it is not a regular file of at most \(Self.maximumBytes) bytes") }
        try check(status)
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure(String(cString: strerror(errno))) }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        guard let token = BearerToken(firstLineOf: text) else {
            throw .malformed("token-file \(path)")
        }
        return token
    }

    private func check(_ status: stat) throws(CredentialError) {
        guard [0, geteuid()].contains(status.st_uid) else {
            throw failure("it belongs to user \(status.st_uid)", advice: "use a file that you own")
        }
        guard status.st_mode & 0o066 == 0 else {
            throw failure("other users can read or write it", advice: "chmod 600 '\(path)'")
        }
    }

    private func failure(_ reason: String, advice: String? = nil) -> CredentialError {
        CredentialError(
            "token-file \(path): \(reason)",
            advice: advice ?? "check the path, and that the file is readable"
        )
    }
}
