import Networking
import Testing

@Suite("Errors")
struct ErrorTests {
    private let reasons: [HTTPClientError.Reason] = [
        .invalidURL, .invalidHeader, .couldNotResolve, .couldNotConnect, .tls, .timedOut(.connect),
        .timedOut(.handshake),
        .timedOut(.stall), .timedOut(.total), .connectionLost, .linkLost, .proxyFailed(status: nil),
        .proxyFailed(status: 407),
        .proxyFailed(status: 403), .bodyTooLarge(limit: 1),
        .headersTooLarge(limit: 1), .tooManyRedirects(limit: 1),
        .redirectRejected,
        .redirectedElsewhere,
        .malformedResponse, .cancelled, .closed, .libraryMissing, .other, .destinationNotAllowed,
        .undecodableBody(encoding: "gzip"), .circuitOpen, .uploadFailed, .fileFailed,
        .unexpectedStatus(404),
        .noCredentials,
    ]

    @Test("Each reason has its own description, followed by the details")
    func words() {
        let texts = reasons.map { HTTPClientError($0).description }
        #expect(Set(texts).count == reasons.count && texts.allSatisfy { !$0.isEmpty })
        let error = HTTPClientError(.tls, detail: "expired")
        #expect(error.description == "no secure connection could be made: expired")
    }
}
