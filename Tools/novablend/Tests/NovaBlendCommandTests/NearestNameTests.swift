import Testing

@testable import NovaBlendCommand

@Suite("A mistyped name")
struct NearestNameTests {
    @Test(
        "is told from others by what must be changed",
        arguments: [("", "abc", 3), ("book", "bok", 1), ("slost", "slots", 1), ("abc", "abc", 0)]
    )
    func distance(first: String, second: String, steps: Int) {
        #expect(NearestName.distance(first, second) == steps)
        #expect(NearestName.distance(second, first) == steps)
    }

    @Test("gets no hint where nothing is near")
    func none() { #expect(NearestName.hint(for: "zzzz", among: ["book", "man"]) == "") }
}
