import Glibc
public import SystemSupport

/// The two descriptors of a connection.
public struct Transport: Sendable {
    /// Closes sockets with the last reference to this object. Threads that use a socket hold it, so
    /// that the number of the descriptor is not reused before.
    private final class Sockets: Sendable {
        let descriptors: [Int32]
        init(_ descriptors: [Int32]) { self.descriptors = descriptors }
        deinit { for descriptor in descriptors { close(descriptor) } }
    }

    let input: Int32
    let output: Int32
    /// The sockets that belong to the transport; nil if the descriptors belong to the caller.
    private let sockets: Sockets?

    /// Creates a transport of descriptors that belong to the caller, such as the standard streams
    /// of this process. The connection never closes them.
    ///
    /// If the connection is stopped while its input stays open, a thread continues to wait for that
    /// input. For connections that end before the process does, use sockets.
    public init(input: Int32, output: Int32) {
        (self.input, self.output, sockets) = (input, output, nil)
    }

    /// Creates a transport of sockets, which are closed when the connection has ended. Both sockets
    /// may be the same one.
    init(inputSocket input: Int32, outputSocket output: Int32) {
        (self.input, self.output) = (input, output)
        sockets = Sockets(input == output ? [input] : [input, output])
    }

    /// Returns the two ends of a connection inside this process, for tests.
    ///
    /// - Throws: The error of `socketpair(2)`.
    public static func makePair() throws(SystemError) -> (Transport, Transport) {
        let (one, other) = try makeSocketPair()
        return (
            Transport(inputSocket: one, outputSocket: one),
            Transport(inputSocket: other, outputSocket: other)
        )
    }

    static func makeSocketPair() throws(SystemError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError(code: errno) }
        return (ends[0], ends[1])
    }

    /// Ends the output: the other side reads its end. Does nothing if the descriptors belong to the
    /// caller.
    func endOutput() {
        if sockets != nil { shutdown(output, Int32(SHUT_WR)) }
    }

    /// Ends both directions, so that the threads that wait for the sockets continue. Does nothing
    /// if the descriptors belong to the caller.
    func shutDown() {
        for socket in sockets?.descriptors ?? [] { shutdown(socket, Int32(SHUT_RDWR)) }
    }
}
