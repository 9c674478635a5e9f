import Foundation
import JSON
import JSONRPC
import SystemSupport
import Testing

/// This library as a client of language servers that others wrote.
@Suite("Language servers", .timeLimit(.minutes(10)))
struct LanguageServerTests {
    @Test(
        "clangd shows the type of a function, and its symbols",
        .enabled(if: Self.has("clangd"), "clangd is not installed")
    )
    func clangd() async throws {
        let source = "int twice(int number) { return 2 * number; }\n"
        let session = try await Session("clangd", ["--log=error"], "main.cpp", source, "cpp")
        let hover = try await session.call(
            "textDocument/hover",
            #""position":{"line":0,"character":5}"#
        )
        #expect(hover.contains("int twice(int number)"))
        #expect(try await session.call("textDocument/documentSymbol").contains("twice"))
        try await session.end()
    }

    @Test(
        "sourcekit-lsp lists the symbols of a file",
        .enabled(if: Self.has("sourcekit-lsp"), "sourcekit-lsp is not in PATH")
    )
    func sourcekit() async throws {
        let source = "func twice(_ number: Int) -> Int { 2 * number }\n"
        let session = try await Session("sourcekit-lsp", [], "main.swift", source, "swift")
        #expect(try await session.call("textDocument/documentSymbol").contains("twice"))
        try await session.end()
    }

    @Test(
        "clangd rejects a method that it does not have",
        .enabled(if: Self.has("clangd"), "clangd is not installed")
    )
    func unknownMethod() async throws {
        let session = try await Session("clangd", ["--log=error"], "main.cpp", "", "cpp")
        do {
            _ = try await session.peer.call("no/such/method", .emptyObject)
            Issue.record("the call did not fail")
        } catch {
            #expect(error.code == -32_601)
        }
        try await session.end()
    }

    /// Whether a program is in `PATH`. `make test-clients` installs clangd; sourcekit-lsp belongs
    /// to the toolchain.
    private static func has(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }
}

/// A language server in which one file is open.
private struct Session {
    private let process: ServerProcess
    private let directory: URL
    private let uri: String
    var peer: Peer { process.connection.peer }

    init(
        _ program: String,
        _ arguments: [String],
        _ file: String,
        _ source: String,
        _ language: String
    ) async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let url = directory.appending(path: file)
        try Data(source.utf8).write(to: url)
        uri = url.absoluteString
        process = try ServerProcess([program] + arguments, errors: .null) {
            Connection(over: $0, framing: .headers)
        }
        let id = ProcessInfo.processInfo.processIdentifier
        let root = directory.absoluteString
        let result = try await peer.call(
            "initialize",
            Self.json(#"{"processId":\#(id),"rootUri":"\#(root)","capabilities":{}}"#)
        )
        #expect(try result.object()["capabilities"] != nil)
        peer.notify("initialized", .emptyObject)
        let text = JSONFragment { $0.string(source) }
        let document = #"{"uri":"\#(uri)","languageId":"\#(language)","version":1,"text":\#(text)}"#
        peer.notify("textDocument/didOpen", Self.json(#"{"textDocument":\#(document)}"#))
    }

    /// Calls a method about the file. Returns the JSON text of the result.
    func call(_ method: String, _ members: String = "") async throws -> String {
        let document = #""textDocument":{"uri":"\#(uri)"}"#
        let params = Self.json("{\(members.isEmpty ? document : "\(document),\(members)")}")
        let result = try await peer.call(method, params, timeout: .seconds(90))
        return JSONFragment { $0.value(result) }.description
    }

    /// Ends the server as LSP requires ("Lifecycle Messages").
    func end() async throws {
        #expect(try await peer.call("shutdown").isNull)
        peer.notify("exit")
        #expect(await process.stop(gracePeriod: .seconds(60)) == .exited(code: 0))
        try FileManager.default.removeItem(at: directory)
    }

    private static func json(_ text: String) -> JSONFragment {
        JSONFragment(trusted: Array(text.utf8))
    }
}
