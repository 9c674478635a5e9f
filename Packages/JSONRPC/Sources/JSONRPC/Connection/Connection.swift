import Glibc
import JSON
import SystemSupport

/// A JSON-RPC 2.0 connection. Both sides can call each other's methods at the same time.
///
/// U+2028 and U+2029 are escaped in the messages that it sends: some programs end a line at them.
///
/// One thread reads the input and runs fast calls. Other calls run as tasks. Data flows in this
/// order: `InputReader`, `FrameDecoder`, `Session`, `CallQueue`, handler, `MessageWriter`.
public final class Connection: Sendable {
    /// The other side of the connection.
    public let peer: Peer
    private let transport: Transport
    private let framing: FramingMode
    private let limits: RPCLimits
    private let observer: (any CallObserver)?
    private let log: @Sendable (String) -> Void
    private let logDetail: @Sendable (String) -> Void
    private let session: Session
    private let writer: MessageWriter
    private let termination: Latch<TerminationReason>

    /// Creates a connection. It reads no input before ``start()`` or ``run()``.
    ///
    /// Makes the process ignore SIGPIPE, so that writing to a closed output returns an error. The
    /// order of calls, and the limits, apply to each connection separately.
    ///
    /// - Parameters:
    ///   - transport: The descriptors of the connection.
    ///   - table: The methods that the peer can call, and the notifications that it can send.
    ///   - info: The name and version of a server; nil for a client. A server implements the
    ///     lifecycle of LSP 3.17 (`initialize`, `shutdown`, `exit`), and replies with an error to
    ///     input that is not a message. A client logs such input. A method named
    ///     `initialize` in `table` replaces the built-in one, for example to return capabilities.
    ///   - framing: The framing. With ``FramingMode/auto``, messages are sent as lines until the
    ///     first input, so a client that starts to talk must know its server's framing.
    ///   - limits: Limits on memory and time.
    ///   - observer: Learns about messages and calls.
    ///   - log: Receives errors that the peer does not learn, such as those of notifications, as
    ///     sentences for people.
    ///   - logDetail: Receives what helps to find out why the connection does what it does, as
    ///     sentences.
    public init(
        over transport: Transport,
        table: MethodTable = MethodTable([]),
        info: ServerInfo? = nil,
        framing: FramingMode = .auto,
        limits: RPCLimits = RPCLimits(),
        observer: (any CallObserver)? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in },
        logDetail: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        signal(SIGPIPE, SIG_IGN)
        let limits = limits.clamped
        let termination = Latch<TerminationReason>()
        let backpressure = OutputBackpressure(limit: limits.maximumQueuedBytes)
        let queue = CallQueue(limits: limits, backpressure: backpressure)
        let writer = MessageWriter(
            transport: transport,
            framing: framing,
            backpressure: backpressure,
            events: .init(
                onFailure: { termination.set(.outputClosed) },
                onCapacity: { queue.startCalls() }
            )
        )
        let send = { @Sendable (message: JSONFragment) in
            // The messages include bytes from elsewhere, so they are searched where they leave.
            let message = message.escapingLineSeparators()
            observer?.didSend(message.bytes)
            writer.send(message)
        }
        peer = Peer(
            idPrefix: info.map { $0.name + "-" } ?? "",
            cancellation: table.protocolExtension.cancellations.first,
            observer: observer,
            send: send
        )
        self.transport = transport
        self.framing = framing
        self.limits = limits
        self.log = log
        self.observer = observer
        self.termination = termination
        self.writer = writer
        self.logDetail = logDetail
        let watch = { @Sendable (process: Int32) in
            Self.watch(process, termination, log: log, logDetail: logDetail)
        }
        session = Session(
            table: table,
            info: info,
            limits: limits,
            peer: peer,
            queue: queue,
            observer: observer,
            send: send,
            events: .init(
                onExit: { termination.set(.exit(code: $0)) },
                onProcessID: watch,
                log: log
            )
        )
    }

    /// Runs the connection in a new task, and returns the task. See ``run()``.
    @discardableResult
    public func start() -> Task<TerminationReason, Never> {
        Task.detached { [self] in await run() }
    }

    /// Runs the connection until the input ends, the peer sends `exit` or closes the output, the
    /// parent process exits (``stopWhenParentExits()``), or ``stop()`` is called. Call this or
    /// ``start()`` once.
    ///
    /// This side's calls that wait for a response of the peer then fail. Unless the output is closed,
    /// the accepted calls from the peer have ``RPCLimits/drainTimeout`` to finish before they are
    /// cancelled.
    public func run() async -> TerminationReason {
        do {
            try SystemThread.start { [self] in read() }
        } catch {
            log("cannot start a thread to read the input: \(error)")
            termination.set(.truncatedInput)
        }
        let reason = await termination.value
        if reason != .outputClosed { await drain() }
        session.cancelAll()
        writer.stop()
        transport.shutDown()
        return reason
    }

    /// Stops the connection when the parent process exits. Does nothing if the system cannot watch
    /// processes (Linux before 5.3).
    public func stopWhenParentExits() {
        ProcessWatch.onParentExit { [termination] in termination.set(.parentExited) }
    }

    /// Stops the connection when a process exits, which is usually the client. `initialize` of LSP 3.17
    /// names one, too.
    ///
    /// Does nothing if there is no such process: it may be outside of the container of this one. Then
    /// only the end of the input stops the connection.
    public func stopWhenExits(process: Int32) {
        Self.watch(process, termination, log: log, logDetail: logDetail)
    }

    private static func watch(
        _ process: Int32,
        _ termination: Latch<TerminationReason>,
        log: @escaping @Sendable (String) -> Void,
        logDetail: (String) -> Void
    ) {
        let isWatched = ProcessWatch.onExit(of: process, ifRunning: true) {
            if !termination.isSet { log("process \(process), the client, has exited") }
            termination.set(.parentExited)
        }
        logDetail(
            isWatched
                ? "process \(process), the client, is watched"
                : "process \(process), the client, cannot be seen from here; only the end of the input "
                    + "ends this connection"
        )
    }

    /// Stops the connection: it accepts no more messages, and ``run()`` returns when the accepted
    /// calls have finished or been cancelled.
    public func stop() { termination.set(.stopped) }

    /// Writes everything that was sent, and then ends the output. Input is still read.
    func endOutput() async {
        await writer.flush()
        transport.endOutput()
    }

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

extension Connection {
    private func read() {
        var decoder = FrameDecoder(mode: framing, limits: limits)
        var reader = InputReader(descriptor: transport.input)
        var isFramingSet = framing != .auto
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            while !termination.isSet {
                let count = reader.read(into: buffer)
                if count < 0 { log("reading the input failed: \(SystemError(code: errno))") }
                guard count > 0 else { break }
                decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                // Write the replies to requests that arrived together in one system call.
                writer.cork()
                while !termination.isSet, let event = decoder.next() {
                    if !isFramingSet {
                        writer.setFraming(decoder.framing)
                        isFramingSet = true
                    }
                    // A response causes no output, so waiting would not reduce the output.
                    // Two sides that wait for each other to read would wait forever.
                    if !receive(event) { writer.waitForPeer() }
                }
                writer.uncork()
            }
        }
        // A connection that has been stopped accepts nothing more.
        if !termination.isSet { end(decoder.finish()) }
    }

    /// Handles one event; true if it is a response.
    private func receive(_ event: FrameDecoder.Event) -> Bool {
        switch event {
        case .message(let message):
            observer?.didReceive(message)
            return session.receive(message)
        case .malformed(let reason, let beginning):
            return session.reject(.parseError(reason), beginning: beginning)
        }
    }

    private func end(_ rest: (last: FrameDecoder.Event?, isTruncated: Bool)) {
        var isTruncated = rest.isTruncated
        if case .message(let line)? = rest.last {
            // A last line without a newline is complete if it ends like a message.
            isTruncated = line.last != UInt8(ascii: "}") && line.last != UInt8(ascii: "]")
        }
        if let last = rest.last { _ = receive(last) }
        if isTruncated { log("the input ended in the middle of a message") }
        termination.set(isTruncated ? .truncatedInput : .endOfInput)
    }
}

/// Reads from a descriptor with low latency.
///
/// A peer that sends one request at a time often sends the next one a few microseconds after a
/// reply. Blocking and waking up takes longer than that. So if input arrived within
/// ``spinDuration``, the next read spins for up to ``spinDuration`` before it blocks. After one
/// read without success, the reader stops spinning.
struct InputReader {
    var spinDuration = Duration.microseconds(100)
    private let descriptor: Int32
    private(set) var isSpinning = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Waits for input and reads it into `buffer`. Returns the number of bytes: 0 at the end of the
    /// input, -1 with `errno` after an error.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let deadline = ContinuousClock.now + spinDuration
        if isSpinning {
            while poll(milliseconds: 0) == 0, ContinuousClock.now < deadline {}
        }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            // The descriptor may be non-blocking.
            if count < 0, errno == EAGAIN, poll(milliseconds: -1) > 0 || errno == EINTR { continue }
            isSpinning = ContinuousClock.now < deadline
            return count
        }
    }

    private func poll(milliseconds: Int32) -> Int32 {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&entry, 1, milliseconds)
    }
}
