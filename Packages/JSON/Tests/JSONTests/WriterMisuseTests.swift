#if DEBUG
import JSON
import Testing

@Suite("Misuse of the writer")
struct WriterMisuseTests {
    /// What a program does wrong, and the message that stops it.
    enum Misuse: String, CaseIterable, Codable, Sendable {
        case keyAfterKey = "a key without a value"
        case keyAtEnd = "a key without a value\n"
        case keyInArray = "a key outside an object"
        case valueWithoutKey = "a value without a key"
        case twoValuesAfterKey = "a value without a key\n"
        case twoTopLevelValues = "a second top-level value"
        case noValue = "no value"
        case unbalancedText = "encoded text that is not valid"
        case twoValuesInText = "encoded text that is not valid\n"
        case textWithoutKey = "a value without a key, or encoded text that is not valid"

        func commit() {
            switch self {
            case .keyAfterKey: object { $0.key("a"); $0.key("b") }
            case .keyAtEnd: object { $0.key("a") }
            case .keyInArray: object { $0.key("a"); $0.array { $0.member("b", 1) } }
            case .valueWithoutKey: object { $0.null() }
            case .twoValuesAfterKey: object { $0.member("a", 1); $0.string("b") }
            case .twoTopLevelValues: _ = JSONFragment { $0.bool(true); $0.object { _ in } }
            case .noValue: _ = JSONFragment { _ in }
            case .unbalancedText: object { $0.key("a"); $0.raw(Array("[1".utf8)) }
            case .twoValuesInText: object { $0.member("a", JSONFragment(trusted: Array("1,2".utf8))) }
            case .textWithoutKey: object { $0.raw(Array("1".utf8)) }
            }
        }

        private func object(_ body: (inout JSONWriter) -> Void) {
            _ = JSONFragment { $0.object(body) }
        }
    }

    @Test("it stops a debug build with a message", arguments: Misuse.allCases)
    func stops(misuse: Misuse) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [misuse] in misuse.commit() }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let expected = misuse.rawValue.filter { $0 != "\n" }
        #expect(message.contains("JSONWriter: \(expected)"), "\(message)")
    }
}
#endif
