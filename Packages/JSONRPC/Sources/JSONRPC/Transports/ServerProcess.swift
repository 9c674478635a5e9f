import Glibc
public import SystemSupport

/// A program that this process started, and the connection to its standard input and output.
///
/// If this object is released without ``stop(gracePeriod:)``, the program's input ends.
public final class ServerProcess: Sendable {
    /// How a program ended.
    public enum ExitStatus: Sendable, Hashable {
        /// The program exited with this code.
        case exited(code: Int32)
        /// This signal ended the program.
        case signaled(Int32)
    }

    /// The id of the process.
    public let id: Int32
    /// The connection to the program, which is running.
    public let connection: Connection
    private let running: Task<TerminationReason, Never>
    private let exit: ProcessExit

    /// Starts a program and a connection to it.
    ///
    /// The program becomes the leader of a process group, so that signals also reach the programs
    /// that it starts.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments. A program without a slash is searched for in
    ///     `PATH`.
    ///   - environment: The environment variables of the program; nil for those of this process.
    ///   - errors: Where the standard error of the program goes; by default, to that of this
    ///     process.
    ///   - makeConnection: Creates the connection.
    /// - Throws: The error of `posix_spawn(3)`, such as `ENOENT` if there is no such program;
    ///   `EAGAIN` if the process cannot be watched (Linux before 5.3).
    public init(
        _ words: [String],
        environment: [String: String]? = nil,
        errors: ProcessSpawner.Stream = .descriptor(2),
        makeConnection: (Transport) -> Connection
    ) throws(SystemError) {
        let (output, childInput) = try Transport.makeSocketPair()
        defer { close(childInput) }
        let (input, childOutput) = try Self.makePair(orClose: output)
        defer { close(childOutput) }
        let transport = Transport(inputSocket: input, outputSocket: output)
        var spawner = ProcessSpawner(words)
        spawner.environment = environment
        spawner.input = .descriptor(childInput)
        spawner.output = .descriptor(childOutput)
        spawner.errors = errors
        spawner.startsSession = true
        id = try spawner.spawn()
        guard let exit = ProcessExit(id) else {
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
            throw SystemError(code: EAGAIN)
        }
        self.exit = exit
        connection = makeConnection(transport)
        running = connection.start()
    }

    deinit { connection.stop() }

    /// Waits until the program ends.
    public func exitStatus() async -> ExitStatus { await exit.value }

    /// Ends the program: ends its input, sends SIGTERM if it runs for longer than `gracePeriod`,
    /// and SIGKILL if it then runs for as long again.
    ///
    /// If the task is cancelled, sends the signals immediately.
    ///
    /// - Returns: How the program ended.
    @discardableResult
    public func stop(gracePeriod: Duration = .seconds(2)) async -> ExitStatus {
        Task { [connection] in await connection.endOutput() }
        await exit.wait(atMost: gracePeriod)
        exit.send(SIGTERM)
        await exit.wait(atMost: gracePeriod)
        exit.send(SIGKILL)
        let status = await exit.value
        connection.stop()
        _ = await running.value
        return status
    }

    private static func makePair(orClose output: Int32) throws(SystemError) -> (Int32, Int32) {
        do {
            return try Transport.makeSocketPair()
        } catch {
            close(output)
            throw error
        }
    }
}
