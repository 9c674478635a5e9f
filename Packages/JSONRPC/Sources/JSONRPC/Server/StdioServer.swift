import Glibc
import JSON
import SystemSupport

/// A JSON-RPC 2.0 server on two descriptors, usually those of a subprocess.
///
/// One thread reads the input and runs fast calls. Other calls run as tasks. Data flows in this
/// order: ``InputReader``, ``FrameDecoder``, ``Session``, ``CallQueue``, handler,
/// ``MessageWriter``.
public final class StdioServer: Sendable {
    private let input: Int32
    private let framing: FramingMode
    private let limits: RPCLimits
    private let trace: Trace?
    private let log: @Sendable (String) -> Void
    private let session: Session
    private let writer: MessageWriter
    private let termination: TerminationLatch

    /// The direction of a message.
    public enum Direction: Sendable, Hashable {
        /// From the peer to this server.
        case received
        /// From this server to the peer.
        case sent
    }

    /// Receives every message in both directions, without framing.
    public typealias Trace = @Sendable (Direction, [UInt8]) -> Void

    /// Creates a server for the methods of `table`. `log` receives human-readable lines.
    ///
    /// Makes the process ignore SIGPIPE, so that writing to a closed output returns an error.
    public init(
        table: MethodTable,
        info: ServerInfo,
        input: Int32,
        output: Int32,
        framing: FramingMode = .auto,
        limits: RPCLimits = RPCLimits(),
        trace: Trace? = nil,
        log: @escaping @Sendable (String) -> Void
    ) {
        signal(SIGPIPE, SIG_IGN)
        let termination = TerminationLatch()
        let backpressure = OutputBackpressure(limit: limits.maximumQueuedBytes)
        let queue = CallQueue(limits: limits, backpressure: backpressure)
        let writer = MessageWriter(
            descriptor: output,
            backpressure: backpressure,
            events: .init(
                onFailure: { termination.close(.outputClosed) },
                onCapacity: { queue.startCalls() }
            )
        )
        self.input = input
        self.framing = framing
        self.limits = limits
        self.log = log
        self.trace = trace
        self.termination = termination
        self.writer = writer
        session = Session(
            table: table,
            info: info,
            limits: limits,
            queue: queue,
            send: { message in
                trace?(.sent, message.bytes)
                writer.send(message)
            },
            events: .init(
                onExit: { termination.close(.exit(code: $0)) },
                onProcessID: { ProcessWatch.onExit(of: $0) { termination.close(.parentExited) } }
            )
        )
    }

    /// Serves until the input ends, the peer sends `exit` or closes the output, the parent process
    /// exits (``stopWhenParentExits()``), or ``stop()`` is called.
    ///
    /// Unless the output is closed, accepted calls then have ``RPCLimits/drainTimeout`` to finish
    /// before they are cancelled.
    public func run() async -> TerminationReason {
        if !SystemThread.start({ [self] in read() }) {
            log("cannot start a thread to read the input")
            termination.close(.truncatedInput)
        }
        let reason = await termination.reason()
        if reason != .outputClosed { await drain() }
        session.cancelAll()
        writer.stop()
        return reason
    }

    /// Stops the server when the parent process exits.
    public func stopWhenParentExits() {
        ProcessWatch.onParentExit { [termination] in termination.close(.parentExited) }
    }

    /// Stops the server: it accepts no more messages, and ``run()`` returns when the accepted calls
    /// have finished or been cancelled.
    public func stop() { termination.close(.stopped) }

    private func drain() async {
        let deadline = Task { [session, limits] in
            try await Task.sleep(for: limits.drainTimeout)
            session.cancelAll()
            try await Task.sleep(for: limits.cancellationTimeout)
            session.abandonAll()
        }
        await session.drain()
        deadline.cancel()
        await writer.flush()
    }
}

extension StdioServer {
    private func read() {
        var decoder = FrameDecoder(mode: framing, limits: limits)
        var reader = InputReader(descriptor: input)
        var isFramingSet = false
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            while !termination.isClosed {
                let count = reader.read(into: buffer)
                guard count > 0 else { break }
                decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                // Write the replies to requests that arrived together in one system call.
                writer.cork()
                while !termination.isClosed, let event = decoder.next() {
                    if !isFramingSet, let framing = decoder.framing {
                        writer.setFraming(framing)
                        isFramingSet = true
                    }
                    switch event {
                    case .message(let message):
                        trace?(.received, message)
                        session.receive(message)
                    case .malformed(let reason): session.sendError(.parseError(reason))
                    }
                    writer.waitForPeer()
                }
                writer.uncork()
            }
        }
        end(decoder.finish())
    }

    private func end(_ rest: (message: [UInt8]?, isTruncated: Bool)) {
        var isTruncated = rest.isTruncated
        if let message = rest.message {
            // A last line without a newline is complete if it ends like a message.
            let isComplete = message.last == UInt8(ascii: "}") || message.last == UInt8(ascii: "]")
            isTruncated = !isComplete
            trace?(.received, message)
            session.receive(message)
        }
        if isTruncated { log("the input ended in the middle of a message") }
        termination.close(isTruncated ? .truncatedInput : .endOfInput)
    }
}
