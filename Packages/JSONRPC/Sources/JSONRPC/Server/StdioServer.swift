import Glibc
import JSON
import Synchronization

/// A JSON-RPC 2.0 server on two descriptors, usually those of a subprocess.
///
/// One thread reads, and answers what takes no time; what takes longer runs as tasks. Data flows one way: input, framing, session,
/// handler, writer, output.
public final class StdioServer: Sendable {
    private let input: Int32
    private let framing: FramingMode
    private let limits: RPCLimits
    private let trace: Trace?
    private let log: @Sendable (String) -> Void
    private let session: Session
    private let writer: MessageWriter
    private let ending: EndingBox

    /// Which way a message goes.
    public enum Direction: Sendable, Hashable {
        /// From the peer to us.
        case received
        /// From us to the peer.
        case sent
    }

    /// Sees every message that was received or sent, whole and without its framing.
    public typealias Trace = @Sendable (Direction, [UInt8]) -> Void

    /// Makes a server of the methods of `table`; `log` takes lines for people.
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
        let ending = EndingBox()
        let room = OutputRoom(limit: limits.maximumQueuedBytes)
        let queue = CallQueue(limits: limits, room: room)
        let writer = MessageWriter(
            descriptor: output,
            room: room,
            events: .init(
                onFailure: { ending.set(.outputClosed) },
                onRoom: { queue.pump() }
            )
        )
        self.input = input
        self.framing = framing
        self.limits = limits
        self.log = log
        self.trace = trace
        self.ending = ending
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
                onExit: { ending.set(.exit(code: $0)) },
                onProcessID: { ProcessWatch.onEnd(of: $0) { ending.set(.parentEnded) } }
            )
        )
    }

    /// Serves until the input ends, the peer says `exit`, nobody reads the output, or ``stop()`` is
    /// called; accepted work is finished first, within ``RPCLimits/drainMilliseconds``, and then
    /// cancelled.
    public func run() async -> Ending {
        if !OSThread.start({ [self] in read() }) {
            log("the system has no thread to read with")
            ending.set(.truncatedInput)
        }
        let reason = await ending.value()
        if reason != .outputClosed { await drain() }
        session.cancelAll()
        writer.stop()
        return reason
    }

    /// Lets ``run()`` return when the process that started this one ends.
    public func endWithParent() {
        ProcessWatch.onEndOfParent { [ending] in ending.set(.parentEnded) }
    }

    /// Takes no more messages, and lets ``run()`` return once accepted work is finished.
    public func stop() { ending.set(.stopped) }

    private func drain() async {
        let deadline = Task { [session, limits] in
            try await Task.sleep(for: .milliseconds(limits.drainMilliseconds))
            session.cancelAll()
            try await Task.sleep(for: .milliseconds(limits.cancellationMilliseconds))
            session.abandonAll()
        }
        await session.drain()
        deadline.cancel()
        await writer.flush()
    }

    private func read() {
        var decoder = FrameDecoder(mode: framing, limits: limits)
        var reader = InputReader(descriptor: input)
        var isFramingKnown = false
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            while !ending.isSet {
                let count = reader.read(into: buffer)
                guard count > 0 else { break }
                decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                // Replies to what arrived together leave together.
                writer.hold()
                while !ending.isSet, let event = decoder.next() {
                    if !isFramingKnown, let framing = decoder.framing {
                        writer.use(framing)
                        isFramingKnown = true
                    }
                    handle(event)
                    writer.waitForRoom()
                }
                writer.letGo()
            }
        }
        end(decoder.finish())
    }

    private func handle(_ event: FrameDecoder.Event) {
        switch event {
        case .message(let message): receive(message)
        case .malformed(let why): session.complain(.parseError(why))
        }
    }

    private func receive(_ message: [UInt8]) {
        trace?(.received, message)
        session.receive(message)
    }

    private func end(_ rest: (message: [UInt8]?, isTruncated: Bool)) {
        var isTruncated = rest.isTruncated
        if let message = rest.message {
            // A last line without its line's end is whole when it closes what it opened.
            let isWhole = message.last == UInt8(ascii: "}") || message.last == UInt8(ascii: "]")
            isTruncated = !isWhole
            receive(message)
        }
        if isTruncated { log("the input ended in the middle of a message") }
        ending.set(isTruncated ? .truncatedInput : .endOfInput)
    }
}

/// The first reason to stop that anybody gives, and a place to wait for it.
private final class EndingBox: Sendable {
    private let state = Mutex<(ending: Ending?, waiter: CheckedContinuation<Ending, Never>?)>(
        (nil, nil)
    )

    var isSet: Bool { state.withLock { $0.ending != nil } }

    func set(_ ending: Ending) {
        let waiter = state.withLock { state -> CheckedContinuation<Ending, Never>? in
            guard state.ending == nil else { return nil }
            state.ending = ending
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: ending)
    }

    func value() async -> Ending {
        await withCheckedContinuation { continuation in
            let ending = state.withLock { state in
                if state.ending == nil { state.waiter = continuation }
                return state.ending
            }
            if let ending { continuation.resume(returning: ending) }
        }
    }
}
