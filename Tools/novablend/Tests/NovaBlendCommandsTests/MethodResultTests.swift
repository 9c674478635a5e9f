import JSON
import Testing

@testable import NovaBlendCommands

@Suite("The result of a method")
struct MethodResultTests {
    @Test("has no personal data on standard error, however long it is")
    func long() throws {
        let space = [UInt8](repeating: 0x20, count: JSONLimits().maximumBytes)
        let text =
            Array(#"{"total":7,"list":[{"phone":"1","id":"a"}]"#.utf8) + space + Array("}".utf8)
        let reply = try ObjectFragment(JSONFragment(trusted: text))
        let result = MethodResult(reply) { _, _ in Report() }
        #expect(
            try result.encodeWithoutPersonalData().description
                == #"{"total":7,"list":[{"id":"a"}]}"#
        )
        #expect(try result.encode() == reply.fragment)
    }
}
