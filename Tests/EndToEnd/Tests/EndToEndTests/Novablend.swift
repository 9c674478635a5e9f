import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

/// A JSON-RPC client of `novablend serve`, which it starts with its own directories.
final class Novablend: Sendable {
    let child: ChildProcess
    let directory: TemporaryDirectory
    private let id = Mutex(0)

    /// Starts `novablend serve`, through the program and arguments in `wrapper` if there are any.
    init(
        _ arguments: [String],
        in directory: TemporaryDirectory? = nil,
        through wrapper: [String] = []
    ) throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        let command =
            wrapper + [
                Binaries.novablend, "serve", "--cache-dir", directory.path + "/cache",
                "--state-dir", directory.path + "/state",
            ] + arguments
        child = try ChildProcess(command[0], Array(command.dropFirst()))
    }

    /// Books, and returns the response; nil if the process ended without one.
    func book(_ members: String, key: String) async -> JSONObject? {
        await reply(to: "appointments/book", #"{\#(members),"idempotencyKey":"\#(key)"}"#)
    }

    /// Calls a method, and returns the response; nil if the process ended without one.
    func reply(to method: String, _ params: String) async -> JSONObject? {
        send(1_000, method, params)
        guard let line = await child.line() else { return nil }
        return try? JSONDocument(parsing: Array(line.utf8)).root.object()
    }

    /// Calls a method, and returns the whole response.
    func call(_ method: String, _ params: String = "{}") async throws -> JSONObject {
        let number = id.withLock { id in
            id += 1
            return id
        }
        send(number, method, params)
        let reply = try await nextResponse()
        #expect(try reply.required("id").integer() == number)
        return reply
    }

    /// The next response. Notifications before it are ignored: one change can cause several of them,
    /// and they can arrive at any time.
    func nextResponse() async throws -> JSONObject {
        while true {
            let line = try #require(
                await child.line(),
                "no response; standard error: \(child.standardError())"
            )
            let message = try JSONDocument(parsing: Array(line.utf8)).root.object()
            if message["id"] != nil || message["method"] == nil { return message }
        }
    }

    /// Sends a request without waiting for the response.
    func send(_ id: Int, _ method: String, _ params: String) {
        let call = #""method":"\#(method)","params":\#(params)"#
        child.send(#"{"jsonrpc":"2.0","id":\#(id),\#(call)}"# + "\n")
    }

    /// Calls a method, expects success, and returns the result.
    func result(_ method: String, _ params: String = "{}") async throws -> JSONObject {
        let reply = try await call(method, params)
        return try #require(reply["result"], "\(reply.text)").object()
    }

    /// Calls a method, expects an error that `rpc.discover` declares for it, and returns the error.
    func failure(_ method: String, _ params: String = "{}") async throws -> Failure {
        let error = try await call(method, params).required("error").object()
        let code = try error.required("code").integer()
        if code > 0 {
            let declared = try await DeclaredErrors.codes(of: method)
            #expect(declared.contains(code), "\(method) does not declare \(code)")
        }
        return Failure(
            code: code,
            message: try error.required("message").string(),
            name: try error.optional("data")?.object().optional("name")?.string(),
            data: try error.optional("data")?.object()
        )
    }

    struct Failure {
        var code: Int
        var message: String
        var name: String?
        var data: JSONObject?
    }
}

extension JSONObject {
    var text: String { JSONFragment { $0.value(value) }.description }

    /// The `source` in the provenance.
    func source() throws -> String {
        try required("provenance").object().required("source").string()
    }

    func count(_ key: StaticString) throws -> Int { try required(key).array().count }

    /// The JSON-RPC error in the text of a tool's result.
    func toolError() throws -> JSONObject {
        let block = try required("content").array().first { _ in true }
        let text = try block?.object().required("text").string() ?? ""
        return try JSONDocument(parsing: Array(text.utf8)).root.object().required("error").object()
    }
}

/// A running reference backend.
final class BackendProcess: Sendable {
    let child: ChildProcess
    let url: String
    /// No other server gets the port while this one is stopped.
    let port: ReservedPort

    /// Starts a backend on `port`, by default on a new one. `wrapper` is a program with its arguments
    /// that starts it.
    init(
        port: ReservedPort? = nil,
        database: String = ":memory:",
        through wrapper: [String] = [],
        _ options: [String] = []
    ) async throws {
        self.port = try port ?? ReservedPort()
        let words = wrapper + Self.command(self.port, database) + options
        child = try ChildProcess(words[0], Array(words.dropFirst()))
        let line = try #require(
            await child.line(),
            "the backend did not start: \(child.standardError())"
        )
        url = try #require(line.split(separator: " ").last.map(String.init))
    }

    /// Starts a backend that `tracer` kills. Returns nil if it ends before it listens.
    init?(database: String, through tracer: Tracer) async {
        guard let port = try? ReservedPort() else { return nil }
        let words = tracer.arguments + Self.command(port, database)
        guard let child = try? ChildProcess(Tracer.program, words), let line = await child.line(),
            let url = line.split(separator: " ").last
        else { return nil }
        (self.child, self.url, self.port) = (child, String(url), port)
    }

    /// The program and the arguments of a backend on this port.
    static func command(_ port: ReservedPort, _ database: String) -> [String] {
        [Binaries.backend, "--port", "\(port)", "--database", database]
    }
}

/// Parameters of bookings.
enum Sample {
    static let salon = "5a100000-0000-4000-8000-000000000001"

    /// A booking tomorrow at `hour` o'clock UTC.
    static func booking(
        hour: Int = 12,
        salon: String = salon,
        phone: String = "+49 30 1234567",
        extra: String = ""
    ) -> String {
        let tomorrow = Date(timeIntervalSinceNow: 86_400).formatted(
            .iso8601.year().month().day()
        )
        let time = "\(tomorrow)T\(hour < 10 ? "0" : "")\(hour):00:00+0000"
        return #"{"salonId":"\#(salon)","appointmentTime":"\#(time)","phone":"\#(phone)"\#(extra)}"#
    }
}
