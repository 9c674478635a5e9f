import JSON
import JSONRPC
import Testing

@testable import NovaBlendMethods

@Suite("The schemas in an OpenRPC document")
struct OpenRPCSchemasTests {
    private let point = ObjectSchema([.init("x", Schemas.integer)]).named("Point")

    @Test("a schema with a name is written once, wherever it is used")
    func sharedSchema() {
        var schemas = OpenRPCSchemas()
        let line = ObjectSchema([
            .init("start", .object(point)), .init("others", Schemas.array(of: point)),
        ])
        let reference = ##"{"$ref":"#/components/schemas/Point"}"##
        let members = #""start":\#(reference),"others":{"type":"array","items":\#(reference)}"#
        let required = #""required":["start","others"]"#
        #expect(
            schemas.reference(to: line).description
                == #"{"type":"object","properties":{\#(members)},\#(required)}"#
        )
        #expect(schemas.reference(to: point).description == reference)
        #expect(schemas.components.description == #"{"Point":\#(point.fragment)}"#)
    }

    @Test("of two schemas with the same name, the second is written where it is used")
    func sameName() {
        var schemas = OpenRPCSchemas()
        _ = schemas.reference(to: point)
        let other = ObjectSchema([.init("y", Schemas.integer)]).named("Point")
        #expect(schemas.reference(to: other) == other.fragment)
        #expect(schemas.components.description == #"{"Point":\#(point.fragment)}"#)
    }

    @Test("a schema without members is written where it is used")
    func noMembers() {
        var schemas = OpenRPCSchemas()
        let empty = ObjectSchema().named("Empty")
        #expect(schemas.reference(to: empty) == empty.fragment)
        #expect(schemas.components.description == "{}")
    }

    @Test("a member that may be absent may be null")
    func optionalMember() {
        var schemas = OpenRPCSchemas()
        let schema = ObjectSchema([.init("x", Schemas.integer, "the width", isRequired: false)])
        let nullable = #""anyOf":[{"type":"integer"},{"type":"null"}],"default":null"#
        let member = #""x":{\#(nullable),"description":"the width"}"#
        #expect(
            schemas.reference(to: schema).description
                == #"{"type":"object","properties":{\#(member)}}"#
        )
    }
}
