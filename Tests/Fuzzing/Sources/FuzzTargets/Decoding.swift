@testable import JSONRPC

/// The complete result of decoding a stream that arrives in chunks.
struct Decoding: Equatable {
    private(set) var events: [FrameDecoder.Event] = []
    let framing: FramingMode
    let rest: FrameDecoder.Event?
    let isTruncated: Bool

    var messages: [[UInt8]] {
        events.compactMap { event in
            if case .message(let message) = event { message } else { nil }
        }
    }

    /// Decodes as the server does. `size` returns the length of the next chunk, given the number of
    /// remaining bytes.
    init(
        of stream: UnsafeRawBufferPointer,
        as mode: FramingMode,
        limits: RPCLimits,
        size: (Int) -> Int
    ) {
        var decoder = FrameDecoder(mode: mode, limits: limits)
        var remaining = stream[...]
        while !remaining.isEmpty {
            let chunk = remaining.prefix(size(remaining.count))
            decoder.append(UnsafeRawBufferPointer(rebasing: chunk))
            remaining = remaining.dropFirst(chunk.count)
            while let event = decoder.next() { events.append(event) }
        }
        framing = decoder.framing
        (rest, isTruncated) = decoder.finish()
    }
}
