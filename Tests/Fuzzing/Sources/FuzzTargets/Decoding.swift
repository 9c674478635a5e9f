@testable import JSONRPC

/// All that a decoder makes of a stream that comes in pieces.
struct Decoding: Equatable {
    private(set) var events: [FrameDecoder.Event] = []
    let framing: Framing?
    let rest: [UInt8]?
    let isTruncated: Bool

    var messages: [[UInt8]] {
        events.compactMap { event in
            if case .message(let message) = event { message } else { nil }
        }
    }

    /// Decodes as the server does. `size` gives the length of a piece, told how much is left.
    init(
        of stream: UnsafeRawBufferPointer,
        as mode: FramingMode,
        limits: RPCLimits,
        size: (Int) -> Int
    ) {
        var decoder = FrameDecoder(mode: mode, limits: limits)
        var left = stream[...]
        while !left.isEmpty {
            let piece = left.prefix(size(left.count))
            decoder.append(UnsafeRawBufferPointer(rebasing: piece))
            left = left.dropFirst(piece.count)
            while let event = decoder.next() { events.append(event) }
        }
        framing = decoder.framing
        (rest, isTruncated) = decoder.finish()
    }
}
