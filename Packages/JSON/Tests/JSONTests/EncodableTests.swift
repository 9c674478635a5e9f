import JSON
import Testing

@Suite("Encoding Encodable types")
struct EncodableTests {
    private func text(_ value: some Encodable) throws -> String {
        try JSONFragment(encoding: value).description
    }

    /// Encodes what a closure encodes.
    private struct Custom: Encodable {
        let body: (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    private func error(_ value: some Encodable) -> JSONError? {
        do {
            _ = try JSONFragment(encoding: value)
            return nil
        } catch {
            return error as? JSONError
        }
    }

    @Test("members keep the order of the properties; a property without a value is omitted")
    func members() throws {
        enum Kind: String, Encodable { case spa }
        struct Address: Encodable { let street: String? }
        struct Salon: Encodable {
            let name = "\"é\"\n"
            let id = -7
            let isOpen = true
            let rating = 4.5
            let share: Float = 0.1
            let kind = Kind.spa
            let phone: String?
            let address: Address?
            let tags = ["a", nil]
            let largest = UInt64.max
        }
        let salon = Salon(phone: nil, address: Address(street: nil))
        #expect(
            try text([salon])
                == #"[{"name":"\"é\"\n","id":-7,"isOpen":true,"rating":4.5,"share":0.1,"#
                + #""kind":"spa","address":{},"tags":["a",null],"largest":18446744073709551615}]"#
        )
    }

    @Test("a top-level value can be of any kind")
    func topLevel() throws {
        #expect(try text("a") == "\"a\"")
        #expect(try text(1.5) == "1.5")
        #expect(try text(Int?.none) == "null")
        #expect(try text([[Int]]()) == "[]")
        #expect(try text([String: Int]()) == "{}")
        #expect(try text(Custom { _ in }) == "{}")
        #expect(try text([1: "a"]) == #"{"1":"a"}"#)
    }

    @Test("a number that is not finite is an error with its path")
    func notFinite() {
        struct Inner: Encodable { let x: Double }
        func expected(_ path: JSONPath) -> JSONError {
            .mismatch(path: path, expected: "a finite number")
        }
        #expect(error(Double.nan) == expected(""))
        #expect(error(-Float.infinity) == expected(""))
        #expect(error(["a": [Inner(x: 1), Inner(x: .infinity)]]) == expected("a[1].x"))
        #expect(error([Float.zero, .nan]) == expected("[1]"))
        #expect(error(["a": Float.nan]) == expected("a"))
        #expect(error([[Double]]([[0, .nan]])) == expected("[0][1]"))
    }

    @Test("more values than levels are allowed can follow each other")
    func manyValues() throws {
        let values = (0..<1_000).map { [Optional($0)] }
        let expected = values.indices.map { "[\($0)]" }.joined(separator: ",")
        #expect(
            try text(
                Custom { encoder in
                    var container = encoder.unkeyedContainer()
                    for value in values { try container.encode(value) }
                }
            ) == "[\(expected)]"
        )
    }

    @Test("values in values are encoded up to 512 levels; more are tooDeep, also in containers")
    func depth() throws {
        struct Nested: Encodable {
            let levels: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                if levels > 1 { try container.encode(Nested(levels: levels - 1)) }
            }
        }
        /// A value that stands for another one, without a container.
        struct Wrapped: Encodable {
            let levels: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                if levels > 0 { try container.encode(Wrapped(levels: levels - 1)) }
            }
        }
        let brackets = { (count: Int) in
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(try text(Nested(levels: 513)) == brackets(513))
        let expected = JSONError.tooDeep(maximumDepth: 512)
        #expect(error(Nested(levels: 514)) == expected)
        #expect(error(Nested(levels: 1_000_000)) == expected)
        #expect(error(Wrapped(levels: 1_000_000)) == expected)
        func chain(_ levels: Int) -> Custom {
            Custom { encoder in
                var container = encoder.unkeyedContainer()
                for _ in 1..<levels { container = container.nestedUnkeyedContainer() }
            }
        }
        #expect(try text(chain(513)) == brackets(513))
        #expect(error(chain(514)) == expected)
        #expect(error(chain(100_000)) == expected)
    }

    @Test("nested containers can be written in turn, in any order")
    func nestedContainers() throws {
        let value = Custom { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var a = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
            var b = container.nestedUnkeyedContainer(forKey: "b")
            try container.encode(1, forKey: "c")
            try a.encode("x", forKey: "x")
            try b.encode(2)
            var inner = b.nestedContainer(keyedBy: AnyKey.self)
            var list = b.nestedUnkeyedContainer()
            #expect(list.codingPath.suffix(2).map(\.stringValue) == ["b", "Index 2"])
            #expect(b.count == 3)
            try b.encodeNil()
            try list.encode(true)
            try inner.encode([3], forKey: "y")
            try a.encodeNil(forKey: "z")
            try container.encode(["d": 4], forKey: "d")
        }
        #expect(try text([value, value]) == "[\(Self.nested),\(Self.nested)]")
    }

    private static let nested =
        #"{"a":{"x":"x","z":null},"b":[2,{"y":[3]},[true],null],"c":1,"d":{"d":4}}"#

    @Test("a class can encode its superclass in the member super or among its own members")
    func superclasses() throws {
        class Base: Encodable { var id = 1 }
        final class Nested: Base {
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try super.encode(to: container.superEncoder())
                try container.encode("x", forKey: "name")
                try super.encode(to: container.superEncoder(forKey: "base"))
                _ = container.superEncoder(forKey: "unused")
            }
        }
        final class Flat: Base {
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode("x", forKey: "name")
            }
        }
        #expect(
            try text(Nested()) == #"{"super":{"id":1},"name":"x","base":{"id":1},"unused":{}}"#
        )
        #expect(try text(Flat()) == #"{"id":1,"name":"x"}"#)
    }

    @Test("a value whose encoding fails can be encoded differently; nothing of it remains")
    func failedValue() throws {
        struct Broken: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "a")
                var nested = container.nestedUnkeyedContainer(forKey: "b")
                try nested.encode(2)
                try container.encode(Double.nan, forKey: "c")
            }
        }
        let value = Custom { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try? container.encode(Broken(), forKey: "x")
            try container.encode("y", forKey: "y")
            try? container.encode(Broken(), forKey: "z")
            try container.encode(
                Custom { encoder in
                    var container = encoder.singleValueContainer()
                    try? container.encode(Broken())
                    try container.encode("instead")
                },
                forKey: "single"
            )
        }
        #expect(try text(value) == #"{"y":"y","single":"instead"}"#)
    }

    @Test("a type that encodes several values in one place is an error, not broken JSON")
    func severalValues() {
        let bodies: [(any Encoder) throws -> Void] = [
            { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
            },
            { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "a")
                var list = encoder.unkeyedContainer()
                try list.encode(2)
            },
            { encoder in
                var list = encoder.unkeyedContainer()
                try list.encode(2)
                var container = encoder.singleValueContainer()
                try container.encode(["a"])
            },
        ]
        for body in bodies {
            let reason = "its type encodes more than one value"
            #expect(error(["a": Custom(body: body)]) == .invalid(path: "a", reason: reason))
        }
    }

    @Test("an EncodingError becomes a JSONError with its path; any other error is rethrown")
    func errors() {
        enum Refusal: Error { case always }
        let invalid = Custom { encoder in
            let path = encoder.codingPath
            throw EncodingError.invalidValue(0, .init(codingPath: path, debugDescription: "no"))
        }
        #expect(error(["a": [invalid]]) == .invalid(path: "a[0]", reason: "no"))
        #expect(error(["a": [invalid]])?.description == "a[0]: no")
        #expect(throws: Refusal.always) {
            try JSONFragment(encoding: [Custom { _ in throw Refusal.always }])
        }
    }
}
