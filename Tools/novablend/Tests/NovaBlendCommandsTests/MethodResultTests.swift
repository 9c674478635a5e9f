import JSON
import Testing

@testable import NovaBlendCommands

@Suite("The result of a method")
struct MethodResultTests {
    @Test("is parsed even if it exceeds the default size limit of JSON")
    func long() throws {
        let space = [UInt8](repeating: 0x20, count: JSONLimits().maximumBytes)
        let text = Array(#"{"total":7"#.utf8) + space + [UInt8(ascii: "}")]
        let result = try MethodResult(JSONFragment(trusted: text))
        #expect(result.object.integer("total") == 7)
    }
}
