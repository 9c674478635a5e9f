import HTTPServing
import Synchronization

/// The ids by which a request is found in the logs of clients, proxies, and backends.
final class RequestIDs: Sendable {
    /// The header field of requests and responses.
    static let field = "X-Request-Id"

    /// The start of each generated id. It is random, so that different processes generate different
    /// ids, and begins with a letter.
    private let prefix = "r" + String(UInt64.random(in: .min ... .max), radix: 36) + "-"
    private let count = Atomic(0)

    /// A new id.
    func next() -> String {
        prefix + String(count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
    }

    /// The id that the client or a proxy has sent; nil if it has sent none, or an invalid one.
    static func sentID(of request: ServerRequest) -> String? {
        guard let id = request.headers[field], isValid(id) else { return nil }
        return id
    }

    /// Whether a text can be a request id: it has 1 to 64 letters, digits, hyphens, underscores,
    /// and dots, and at least one letter: a phone number is not an id, and neither is a token,
    /// which is longer.
    static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.contains(where: \.isASCIILetter)
            && text.utf8.allSatisfy {
                $0.isDigit || $0.isASCIILetter || "-_.".utf8.contains($0)
            }
    }
}
