import JSON
import Testing

@testable import NovaBlendCommand

@Suite("Answers of methods")
struct AnswerTests {
    @Test("an answer that is longer than what is read elsewhere is read")
    func long() throws {
        let space = [UInt8](repeating: 0x20, count: JSONLimits().maximumBytes)
        let text = Array(#"{"total":7"#.utf8) + space + [UInt8(ascii: "}")]
        let answer = try Answer(JSONFragment(trusted: text))
        #expect(answer.object.integer("total") == 7)
    }
}
