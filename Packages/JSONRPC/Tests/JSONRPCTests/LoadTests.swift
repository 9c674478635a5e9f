import Foundation
import JSONRPCTestSupport
import SystemSupport
import SystemTestSupport
import Testing

@testable import JSONRPC

@Suite("A peer that is slow, fast, or gone", .timeLimit(.minutes(10)))
struct LoadTests {
    private func request(_ id: Int, _ method: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n"
    }

    @Test("a peer that does not read cannot exhaust memory, and no reply is lost")
    func stalledReader() async throws {
        var limits = RPCLimits()
        limits.maximumQueuedBytes = 4 << 20
        let server = try TestServer(limits: limits)
        let connection = server.connection
        let count = 1_500
        async let sent: Void = onThread {
            connection.send((0..<count).map { request($0, "big") }.joined())
            connection.send(request(count, "unknown"))
        }
        // The server reads all requests although the peer reads no replies.
        await sent
        let replyCount = server.gate.counted
        let maximumPending = (limits.maximumQueuedBytes >> 14) + limits.maximumRunning
        // The pipe and the current write hold some more replies.
        #expect(replyCount <= maximumPending + 100)
        let ids = await connection.ids(count + 1)
        #expect(ids.count == count + 1)
        connection.endInput()
        #expect(await connection.terminationReason() == .endOfInput)
    }

    @Test("each request beyond the memory limit is rejected as retryable")
    func overloaded() async throws {
        var limits = RPCLimits()
        let messageSize = request(0, "wait").utf8.count
        limits.maximumQueuedBytes = 4 * QueuedCall.estimatedMemory(ofMessage: messageSize)
        let server = try TestServer(limits: limits)
        let connection = server.connection
        connection.send((0..<5).map { request($0, "wait") }.joined())
        let rejection = await connection.line()
        #expect(rejection?.contains("-32000") == true && rejection?.contains("overloaded") == true)
        server.gate.open()
        connection.endInput()
        let replies = await connection.rest().split(separator: "\n")
        #expect(replies.contains { $0.contains("waited") })
        #expect(replies.count == 4)
    }

    @Test(
        "a limit below 1 counts as 1, and the largest number means no limit",
        arguments: [Int.min, -1, 0, .max]
    )
    func extremes(limit: Int) async throws {
        var limits = RPCLimits()
        limits.maximumBatchCount = limit
        limits.maximumQueuedBytes = limit
        limits.maximumRunning = limit
        let server = try TestServer(limits: limits)
        server.connection.send(request(1, "ping") + request(2, "ping"))
        #expect(await server.connection.ids(2) == ["1", "2"])
        server.connection.endInput()
        #expect(await server.connection.terminationReason() == .endOfInput)
    }

    @Test("a limit of headers below 1 counts as 1", arguments: [Int.min, -1, 0, 1])
    func headerLimit(limit: Int) async throws {
        var limits = RPCLimits()
        limits.maximumHeaderBytes = limit
        let server = try TestServer(framing: .headers, limits: limits)
        server.connection.send("Content-Length: 2\r\n\r\n{}")
        server.connection.endInput()
        #expect(await server.connection.rest().contains("longer than 1 bytes"))
    }

    @Test("calls beyond the limit on running calls run later")
    func running() async throws {
        var limits = RPCLimits()
        limits.maximumRunning = 2
        let server = try TestServer(limits: limits)
        let connection = server.connection
        connection.send((0..<3).map { request($0, "wait") }.joined() + request(3, "ping"))
        connection.send(request(4, "unknown"))
        #expect(await connection.line()?.contains("-32601") == true)
        server.gate.open()
        connection.endInput()
        #expect(await connection.rest().split(separator: "\n").count == 4)
    }

    @Test("calls that wait because of unread replies start when the peer reads")
    func outputCapacity() async throws {
        var limits = RPCLimits()
        // Enough for the calls themselves, and for an eighth of their replies.
        limits.maximumQueuedBytes = 1 << 20
        let server = try TestServer(limits: limits)
        let connection = server.connection
        let count = 500
        connection.send((0..<count).map { request($0, "big") }.joined())
        // The reading thread replies to this one after it has queued all calls before it.
        connection.send(request(count, "unknown"))
        let ids = await connection.ids(count + 1)
        #expect(ids.count == count + 1)
        #expect(server.gate.counted == count)
        connection.endInput()
        #expect(await connection.terminationReason() == .endOfInput)
    }

    @Test("replies that the peer has not read at the end of input are not lost")
    func endOfInput() async throws {
        var limits = RPCLimits()
        limits.drainTimeout = .seconds(60)
        let server = try TestServer(limits: limits)
        let connection = server.connection
        // More than the pipe holds, but less than the limit on unread replies.
        let count = 100
        connection.send((0..<count).map { request($0, "big") }.joined())
        connection.endInput()
        // Wait until every call has ended before reading. Then give the server time to stop, in
        // case it does not wait for its reader.
        let gate = server.gate
        await onThread {
            while gate.counted < count { sched_yield() }
            for _ in 0..<100_000 { sched_yield() }
        }
        let lines = await connection.rest().split(separator: "\n")
        #expect(lines.count == count)
        #expect(await connection.terminationReason() == .endOfInput)
    }

    @Test("the server stops when its output is closed")
    func outputClosed() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.endOutput()
        connection.send(request(1, "ping"))
        #expect(await connection.terminationReason() == .outputClosed)
        connection.endInput()
    }

    @Test("the server stops when the process named by initialize exits")
    func peerProcess() async throws {
        let child = Process()
        child.executableURL = URL(filePath: "/bin/cat")
        let input = Pipe()
        child.standardInput = input
        try child.run()
        let server = try TestServer()
        let connection = server.connection
        let params = #""params":{"processId":\#(child.processIdentifier)}"#
        connection.send(#"{"jsonrpc":"2.0","id":1,"method":"initialize",\#(params)}"# + "\n")
        _ = await connection.line()
        input.fileHandleForWriting.closeFile()
        #expect(await connection.terminationReason() == .parentExited)
        child.waitUntilExit()
        connection.endInput()
    }

    @Test(
        "a process that cannot be seen does not stop the server, and the details say so",
        arguments: [false, true]
    )
    func invisibleProcess(isZombie: Bool) async throws {
        let child = try ProcessSpawner(["/bin/true"]).spawn()
        var status = siginfo_t()
        let flags = WEXITED | (isZombie ? WNOWAIT : 0)
        #expect(waitid(P_PID, id_t(child), &status, flags) == 0)
        let (details, continuation) = AsyncStream<String>.makeStream()
        let raw = try RawConnection { transport in
            Connection(
                over: transport,
                info: ServerInfo(name: "test", version: "1"),
                logDetail: { continuation.yield($0) }
            )
        }
        let params = #""params":{"processId":\#(child)}"#
        raw.send(#"{"jsonrpc":"2.0","id":1,"method":"initialize",\#(params)}"# + "\n")
        #expect(await raw.line()?.contains("result") == true)
        let detail = await details.first { _ in true }
        #expect(detail?.contains("process \(child)") == true)
        #expect(detail?.contains("only the end of the input") == true)
        raw.send(#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"# + "\n")
        #expect(await raw.line()?.contains(#""id":2,"result""#) == true)
        raw.endInput()
        #expect(await raw.terminationReason() == .endOfInput)
        if isZombie { waitpid(child, nil, 0) }
    }

    @Test("the exit of a process is reported if it was seen running")
    func processWatch() async throws {
        let child = Process()
        child.executableURL = URL(filePath: "/bin/cat")
        let input = Pipe()
        child.standardInput = input
        try child.run()
        await withCheckedContinuation { continuation in
            let isWatching = ProcessWatch.onExit(of: child.processIdentifier) {
                continuation.resume()
            }
            #expect(isWatching)
            input.fileHandleForWriting.closeFile()
        }
        child.waitUntilExit()
        let isWatching = ProcessWatch.onExit(of: child.processIdentifier) {
            Issue.record("a process that is not there has exited")
        }
        #expect(!isWatching)
    }
}
