import Foundation
import SystemSupport
import SystemTestSupport

/// Runs programs.
///
/// Foundation's `Process` crashed when this process had more than a thousand descriptors.
enum Command {
    /// Runs a program until it exits, and returns its standard output.
    static func run(
        _ path: String,
        _ arguments: [String],
        in directory: URL? = nil
    ) async throws -> [UInt8] {
        try await onThread {
            let output = try Pipe.make()
            let id: pid_t
            do {
                defer { close(output.writeEnd) }
                id = try start(path, arguments, in: directory, output: output.writeEnd)
            } catch {
                close(output.readEnd)
                throw error
            }
            let file = FileHandle(fileDescriptor: output.readEnd, closeOnDealloc: true)
            let text = try file.readToEnd() ?? Data()
            waitpid(id, nil, 0)
            return Array(text)
        }
    }

    /// Starts a program, whose standard error is discarded. The caller must pass the id of the process
    /// to `waitpid`.
    static func start(
        _ path: String,
        _ arguments: [String],
        in directory: URL?,
        input: Int32? = nil,
        output: Int32
    ) throws -> pid_t {
        let place = directory.map { ["/usr/bin/env", "-C", $0.path] } ?? []
        var spawner = ProcessSpawner(place + [path] + arguments)
        if let input { spawner.input = .descriptor(input) }
        spawner.output = .descriptor(output)
        return try spawner.spawn()
    }
}

extension Command {
    /// The two ends of a pipe. Child processes inherit only their standard streams.
    struct Pipe {
        let readEnd, writeEnd: Int32

        static func make() throws -> Pipe {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
            return Pipe(readEnd: ends[0], writeEnd: ends[1])
        }
    }
}
