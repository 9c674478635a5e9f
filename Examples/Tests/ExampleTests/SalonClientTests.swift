import Foundation
import Testing

@Suite("salon-client")
struct SalonClientTests {
    private static let binaries = ProcessInfo.processInfo.environment["NOVABLEND_BIN"]

    @Test(
        "It books a free time, and finds other times when that one is taken",
        .enabled(if: binaries != nil, "NOVABLEND_BIN is the directory of novablend")
    )
    func book() async throws {
        let novablend = try #require(Self.binaries) + "/novablend"
        let execution = try await Execution("salon-client", novablend, "serve", "--sandbox")
        #expect(execution.code == 0, "\(execution.errors)")
        let lines = execution.lines
        #expect(lines.contains("salon: Scherenschnitt, Torstraße 12, Berlin"))
        let booked = try #require(lines.first { $0.hasPrefix("booked: ") }).dropFirst(8)
        #expect(lines.filter { $0 == "listed: \(booked)" }.count == 1)
        let others = lines.filter { $0.hasPrefix("still free: ") }
        #expect(!others.isEmpty && !others.contains { $0.hasSuffix(booked) })
    }

    @Test("An error of the server ends it with the server's message")
    func errors() async throws {
        let program = #"read -r line; printf '{"jsonrpc":"2.0","id":1,"error":%s}\n' "$0"; cat"#
        let error = #"{"code":1001,"message":"There is no connection"}"#
        let execution = try await Execution("salon-client", "/bin/sh", "-c", program, error)
        #expect(execution.code == 1 && execution.output.isEmpty)
        #expect(execution.errors == "salon-client: There is no connection (1001)\n")
        let ended = try await Execution("salon-client", "/bin/sh", "-c", "read -r line")
        #expect(ended.code == 1 && ended.output.isEmpty)
        #expect(ended.errors.hasSuffix("(-32011)\n"), "\(ended.errors)")
    }
}
