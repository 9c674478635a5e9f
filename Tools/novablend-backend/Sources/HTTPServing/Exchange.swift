import Glibc

/// A request, from its request line to its response. Only the thread that serves the connection
/// uses it.
final class Exchange {
    enum Stage {
        /// The header is incomplete.
        case header
        case body(RequestHead, Endpoint)
        /// The rest of the body is ignored. Then the rejection is sent.
        case ignoringBody(Rejection)
        case handling(PendingResponse)
    }

    var stage = Stage.header
    var body: [UInt8] = []
    /// The number of bytes of the body, including ignored ones.
    var received = 0
    /// Whether the connection closes after the response. libmicrohttpd accepts chunks that other
    /// servers read differently, so no other request may follow them.
    var isLast = false
    /// The raw target, and its position in the buffer of libmicrohttpd.
    let target: [UInt8]
    let targetPosition: UInt

    init(target: UnsafePointer<CChar>) {
        self.target = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
        targetPosition = UInt(bitPattern: target)
    }
}
