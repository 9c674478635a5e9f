import Foundation
import SystemTestSupport
import Testing

@Suite("The trace", .throttled, .timeLimit(.minutes(10)))
struct TraceTests {
    @Test("personal data is hidden in every form: other capitalization, JSON in a string, an array")
    func hidden() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/trace"
        let client = try Novablend(["--trace", file], in: directory)
        let secret = "s3cret-4711"
        let arguments = [
            #"{"Phone":"\#(secret)","EMAIL":"\#(secret)","notes":"\#(secret)"}"#,
            #"" {\"phone\":\"\#(secret)\"}""#, #""[\"\#(secret)\"]""#, #"["\#(secret)"]"#,
        ]
        for argument in arguments {
            _ = try await client.call(
                "tools/call",
                #"{"name":"appointments_book","arguments":\#(argument)}"#
            )
        }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!text.contains(secret), "\(text)")
        #expect(text.components(separatedBy: "tools/call").count == arguments.count + 1)
    }
}
