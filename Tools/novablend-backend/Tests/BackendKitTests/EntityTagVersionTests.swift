import Testing
import WebPrimitives

@testable import BackendKit

@Suite("The version of an entity tag")
struct EntityTagVersionTests {
    @Test("An entity tag has a version only if it is strong and a version could have it")
    func versions() {
        for (text, version) in [
            ("1", 1), ("0", 0), ("-1", -1), ("01", nil), ("+1", nil), ("", nil), ("1 ", nil),
            ("99999999999999999999", nil),
        ] as [(String, Int?)] {
            #expect(EntityTag(opaque: text).version == version, "\(text)")
        }
        #expect(EntityTag(opaque: "1", isWeak: true).version == nil)
    }
}
