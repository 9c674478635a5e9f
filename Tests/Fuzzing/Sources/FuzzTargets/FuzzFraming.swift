import JSON

@testable import JSONRPC

/// Decodes a stream of bytes as a whole and in chunks. The results must be equal.
///
/// The first byte selects the lengths of the chunks; the rest is the stream.
public func fuzzFraming(_ bytes: UnsafeRawBufferPointer) {
    guard let seed = bytes.first else { return }
    let stream = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    var limits = RPCLimits()
    limits.maximumHeaderBytes = 64
    limits.maximumMessageBytes = 16
    for mode in FramingMode.allCases {
        let whole = Decoding(of: stream, as: mode, limits: limits) { $0 }
        let bytewise = Decoding(of: stream, as: mode, limits: limits) { _ in 1 }
        var random = seed
        let chunked = Decoding(of: stream, as: mode, limits: limits) { _ in
            random = random &* 141 &+ 3
            return Int(random >> 3) + 1
        }
        precondition(bytewise == whole, "\(mode): single bytes give a different result")
        precondition(chunked == whole, "\(mode): chunks of seed \(seed) give a different result")
        checkBounds(of: whole, limits)
        checkEncoding(of: whole, limits)
    }
}

private func checkBounds(of decoding: Decoding, _ limits: RPCLimits) {
    for message in decoding.messages {
        precondition(message.count <= limits.maximumMessageBytes, "a message is over the limit")
    }
}

/// Messages that are framed and decoded again must be equal, and no bytes may remain.
private func checkEncoding(of decoding: Decoding, _ limits: RPCLimits) {
    var queue = OutputQueue()
    for message in decoding.messages {
        _ = queue.append(JSONFragment(trusted: message), .headers)
    }
    var stream: [UInt8] = []
    while let part = queue.popFirst() { stream += part }
    let again = stream.withUnsafeBytes { Decoding(of: $0, as: .headers, limits: limits) { $0 } }
    precondition(again.events == decoding.messages.map { .message($0) })
    precondition(!again.isTruncated && again.rest == nil)
}
