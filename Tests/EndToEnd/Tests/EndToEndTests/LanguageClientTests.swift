import Foundation
import Testing

/// What clients of language servers do with `serve`: they append options to the command, and send the id
/// of their process.
@Suite("Clients of language servers", .throttled, .timeLimit(.minutes(10)))
struct LanguageClientTests {
    /// The id of a process that has ended, as a client outside of the container has one.
    private func invisibleProcess() async throws -> Int32 {
        let ended = try ChildProcess("/bin/true", [])
        _ = await ended.exitCode()
        return ended.processID
    }

    @Test("--stdio changes nothing", arguments: [[], ["--framing", "headers"]])
    func stdio(options: [String]) async throws {
        let client = try Novablend(["--stdio"] + options)
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        client.child.send("Content-Length: \(ping.utf8.count)\r\n\r\n\(ping)")
        #expect(await client.child.framedMessage() == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    }

    @Test("serve exits when the process of --clientProcessId ends", arguments: [true, false])
    func clientProcess(isOneWord: Bool) async throws {
        let editor = try ChildProcess("/bin/cat", [])
        let id = "\(editor.processID)"
        let words = isOneWord ? ["--clientProcessId=\(id)"] : ["--clientProcessId", id]
        let client = try Novablend(["--stdio"] + words)
        _ = try await client.result("ping")
        editor.endInput()
        #expect(await client.child.exitCode() == 0)
        #expect(client.child.standardError().contains("process \(id), the client, has exited"))
    }

    @Test(
        "a process that cannot be seen is not taken for one that has ended",
        arguments: [true, false]
    )
    func invisible(isOption: Bool) async throws {
        let id = try await invisibleProcess()
        let client = try Novablend(isOption ? ["--clientProcessId=\(id)"] : [])
        if !isOption { _ = try await client.result("initialize", #"{"processId":\#(id)}"#) }
        _ = try await client.result("ping")
        _ = try await client.result("cache/status")
        client.child.endInput()
        #expect(await client.child.exitCode() == 0)
        #expect(!client.child.standardError().contains("\(id)"))
    }

    @Test("--verbose says that it is not watched")
    func verbose() async throws {
        let id = try await invisibleProcess()
        let client = try Novablend(["--verbose", "--clientProcessId=\(id)"])
        _ = try await client.result("ping")
        client.child.endInput()
        #expect(await client.child.exitCode() == 0)
        let line = "process \(id), the client, cannot be seen from here; only the end of the input"
        #expect(client.child.standardError().contains(line))
    }

    @Test(
        "other transports and ids that are none are errors of the command line",
        arguments: [
            ["--node-ipc"], ["--socket=5000"], ["--socket", "5000"], ["--pipe=/tmp/p"],
            ["--pipe", "/tmp/p"], ["--stdio", "--socket=5000"], ["--clientProcessId=x"],
            ["--clientProcessId=0"], ["--clientProcessId=-5"], ["--clientProcessId=99999999999"],
            ["--clientProcessId"], ["--socket"],
        ]
    )
    func rejected(options: [String]) async throws {
        let client = try Novablend(options)
        #expect(await client.child.exitCode() == 64)
        let name = options.last { $0.hasPrefix("--") }?.prefix { $0 != "=" } ?? ""
        let errors = client.child.standardError()
        #expect(errors.contains(name), "\(errors)")
        if !name.hasPrefix("--client"), options != ["--socket"] {
            #expect(errors.contains("is not supported") && errors.contains("--stdio"))
        }
    }
}
