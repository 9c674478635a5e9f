import Glibc
import JSON
import SystemSupport

/// `novablend serve` as a subprocess. Each message is a line of its input or output.
final class Novablend {
    /// The error with which a call failed.
    struct CallError: Error, CustomStringConvertible {
        let code: Int
        let message: String
        /// What the program can use, such as other free times if one is taken.
        let data: JSONObject?

        var description: String { "\(message) (\(code))" }
    }

    /// The program has ended or its output is not JSON-RPC.
    struct ConnectionError: Error, CustomStringConvertible {
        let description: String
    }

    private let process: pid_t
    private let input: Int32
    private let output: UnsafeMutablePointer<FILE>
    private var lastID = 0

    /// Starts `words[0]` with the other words as its arguments.
    init(_ words: [String]) throws {
        // Writing to a program that has ended must be an error, and not end this program.
        signal(SIGPIPE, SIG_IGN)
        let (toChild, fromChild) = (try Self.makePipe(), try Self.makePipe())
        defer { for end in [toChild.read, fromChild.write] { close(end) } }
        var spawner = ProcessSpawner(words)
        spawner.input = .descriptor(toChild.read)
        spawner.output = .descriptor(fromChild.write)
        spawner.errors = .descriptor(STDERR_FILENO)
        process = try spawner.spawn()
        input = toChild.write
        guard let output = fdopen(fromChild.read, "r") else { throw SystemError(code: errno) }
        self.output = output
    }

    /// Calls a method and waits for its result.
    func call(
        _ method: String,
        _ writeParams: (inout JSONWriter) -> Void = { _ in }
    ) throws -> JSONObject {
        lastID += 1
        let request = JSONFragment { writer in
            writer.object { writer in
                writer.member("jsonrpc", "2.0")
                writer.member("id", lastID)
                writer.member("method", method)
                writer.key("params")
                writer.object { writeParams(&$0) }
            }
        }
        try DescriptorOutput.writeAll((request.bytes + [UInt8(ascii: "\n")]).span.bytes, to: input)
        while true {
            let response = try JSONDocument(parsing: readLine()).root.object()
            // Everything else is a notification.
            guard try response.optional("id")?.integer() == lastID else { continue }
            guard let error = response.optional("error") else {
                return try response.required("result").object()
            }
            throw CallError(
                code: try error.object().required("code").integer(),
                message: try error.object().required("message").string(),
                data: try error.object().optional("data")?.object()
            )
        }
    }

    /// Ends the input, and waits until the program has finished its calls. Returns its exit code.
    func stop() -> Int32 {
        close(input)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        fclose(output)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 1
    }

    private func readLine() throws -> [UInt8] {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        let count = getline(&line, &capacity, output)
        guard count > 0, let line else {
            throw ConnectionError(description: "novablend has ended")
        }
        return UnsafeRawBufferPointer(start: line, count: count - 1).map { $0 }
    }

    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError(code: errno) }
        return (ends[0], ends[1])
    }
}
