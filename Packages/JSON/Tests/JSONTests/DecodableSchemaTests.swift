import JSON
import Testing

@Suite("The schema of a Decodable type")
struct DecodableSchemaTests {
    private enum Size: String, Decodable, CaseIterable { case small, large }

    private struct Topping: Decodable {
        let name: String
        let grams: Double?
    }

    private struct Order: Decodable {
        let count: Int
        let price: Double
        let isPaid: Bool
        let size: Size
        let toppings: [Topping]
        let note: String?
    }

    private struct Endless: Decodable {
        let next: [Endless]
    }

    private struct Picky: Decodable {
        enum Letter: String, Decodable { case a }
        let letter: Letter
    }

    @Test("has its keys in order, with their types; optional properties are not required")
    func order() throws {
        let schema = try ObjectSchema(decoding: Order.self, summaries: ["count": "how many"])
        let toppings =
            #"{"type":"array","items":{"type":"object","properties":"#
            + #"{"name":{"type":"string"},"grams":{"type":"number"}},"required":["name"]}}"#
        let expected =
            #"{"type":"object","properties":{"count":{"type":"integer","description":"how many"},"#
            + #""price":{"type":"number"},"isPaid":{"type":"boolean"},"#
            + #""size":{"type":"string","enum":["small","large"]},"#
            + #""toppings":\#(toppings),"note":{"type":"string"}},"#
            + #""required":["count","price","isPaid","size","toppings"]}"#
        #expect(schema.fragment.description == expected)
    }

    @Test("does not exist for a type that contains itself, or rejects a sample")
    func rejected() {
        #expect(throws: JSONError.tooDeep(maximumDepth: 32)) {
            try ObjectSchema(decoding: Endless.self)
        }
        #expect {
            try ObjectSchema(decoding: Picky.self)
        } throws: { error in
            guard case .invalid(let path, _) = error as? JSONError else { return false }
            return path.description == "letter"
        }
    }

    @Test("a summary of a member that the type does not have is an error")
    func unknownSummary() {
        #expect(throws: JSONError.invalid(path: "b", reason: "the type has no such member")) {
            try ObjectSchema(decoding: Topping.self, summaries: ["name": "x", "c": "y", "b": "z"])
        }
    }

    @Test("does not exist for a type that is not decoded from an object")
    func noObject() {
        #expect(throws: JSONError.mismatch(path: "", expected: "an object")) {
            try ObjectSchema(decoding: [Int].self)
        }
    }
}
