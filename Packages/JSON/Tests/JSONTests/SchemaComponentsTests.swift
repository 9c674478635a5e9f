import JSON
import Testing

@Suite("The schemas in an OpenRPC or OpenAPI document")
struct SchemaComponentsTests {
    private let point = ObjectSchema([.init("x", .integer)]).named("Point")

    @Test("a schema with a name is written once, wherever it is used")
    func sharedSchema() {
        var schemas = SchemaComponents()
        let line = ObjectSchema([
            .init("start", .object(point)), .init("others", .array(of: .object(point))),
        ])
        let reference = ##"{"$ref":"#/components/schemas/Point"}"##
        let members = #""start":\#(reference),"others":{"type":"array","items":\#(reference)}"#
        let required = #""required":["start","others"]"#
        #expect(
            schemas.reference(to: line).description
                == #"{"type":"object","properties":{\#(members)},\#(required)}"#
        )
        #expect(schemas.reference(to: point).description == reference)
        #expect(schemas.fragment.description == #"{"Point":\#(point.fragment)}"#)
    }

    @Test("of two schemas with the same name, the second is written where it is used")
    func sameName() {
        var schemas = SchemaComponents()
        _ = schemas.reference(to: point)
        let other = ObjectSchema([.init("y", .integer)]).named("Point")
        #expect(schemas.reference(to: other) == other.fragment)
        #expect(schemas.fragment.description == #"{"Point":\#(point.fragment)}"#)
    }

    @Test("a schema without members is written where it is used")
    func noMembers() {
        var schemas = SchemaComponents()
        let empty = ObjectSchema().named("Empty")
        #expect(schemas.reference(to: empty) == empty.fragment)
        #expect(schemas.fragment.description == "{}")
    }

    @Test("a schema in an alternative is written once, too")
    func alternatives() {
        var schemas = SchemaComponents()
        let reference = ##"{"$ref":"#/components/schemas/Point"}"##
        #expect(
            schemas.reference(to: .anyOf([.object(point), .array(of: .object(point))])).description
                == #"{"anyOf":[\#(reference),{"type":"array","items":\#(reference)}]}"#
        )
        #expect(schemas.fragment.description == #"{"Point":\#(point.fragment)}"#)
    }

    @Test("a member that may be absent may be null")
    func optionalMember() {
        var schemas = SchemaComponents()
        let schema = ObjectSchema([.init("x", .integer, "the width", isRequired: false)])
        let nullable = #""anyOf":[{"type":"integer"},{"type":"null"}],"default":null"#
        let member = #""x":{\#(nullable),"description":"the width"}"#
        #expect(
            schemas.reference(to: schema).description
                == #"{"type":"object","properties":{\#(member)}}"#
        )
    }
}
