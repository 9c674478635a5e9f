import Domain
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    private let text = "01234567-89ab-cdef-8123-456789abcdef"

    @Test("a UUID is read and written in the 8-4-4-4-12 form, in lower case")
    func roundTrip() {
        #expect(Identifier(text)?.description == text)
        #expect(Identifier(text.uppercased())?.description == text)
        let bits = Identifier(high: 0x0123_4567_89AB_CDEF, low: 0x8123_4567_89AB_CDEF)
        #expect(Identifier(text) == bits && bits.description == text)
        for _ in 0..<100 {
            let random = Identifier.random()
            #expect(Identifier(random.description) == random)
        }
    }

    @Test("every digit matters")
    func everyDigit() {
        var found: Set<Identifier> = []
        for index in text.indices where text[index] != "-" {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "f" ? "e" : "f")
            let identifier = Identifier(changed)
            #expect(identifier?.description == changed)
            if let identifier { found.insert(identifier) }
        }
        #expect(found.count == 32)
    }

    @Test("a text with a non-hexadecimal character or a misplaced dash is not a UUID")
    func wrongCharacters() {
        for index in text.indices {
            for wrong in ["/", ":", "@", "G", "`", "g", "-", "0", "\u{0}"] {
                let valid = text[index] == "-" ? "-" : "0"
                if wrong == valid { continue }
                var changed = text
                changed.replaceSubrange(index...index, with: wrong)
                #expect(Identifier(changed) == nil, "\(changed)")
            }
        }
    }

    @Test("a text of any other length is not a UUID")
    func length() {
        for text in ["", String(text.dropLast()), text + "0", "{\(text)}"] {
            #expect(Identifier(text) == nil)
        }
    }
}
