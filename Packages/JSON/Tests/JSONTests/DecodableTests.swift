import JSON
import Testing

@Suite("Decoding Decodable types")
struct DecodableTests {
    private struct Salon: Decodable, Equatable {
        enum Kind: String, Decodable { case barber, spa }
        struct Address: Decodable, Equatable { let street: String }

        let id: Int
        let name: String
        let isOpen: Bool
        let rating: Double
        let kind: Kind
        let phone: String?
        let address: Address?
        let tags: [String]

        enum CodingKeys: String, CodingKey {
            case id, name, rating, kind, phone, address, tags
            case isOpen = "is_open"
        }
    }

    private static let salon = Salon(
        id: 7,
        name: "Nova é😀",
        isOpen: true,
        rating: 4.5,
        kind: .spa,
        phone: nil,
        address: Salon.Address(street: "Torstraße"),
        tags: ["a", "b"]
    )

    private func root(_ text: String) throws -> JSONValue {
        try JSONDocument(parsing: Array(text.utf8)).root
    }

    /// The error of decoding a text.
    private func error<Value: Decodable>(_ type: Value.Type, _ text: String) -> JSONError? {
        do {
            _ = try root(text).decode(type)
            return nil
        } catch {
            return error as? JSONError
        }
    }

    @Test(
        "members are found in any order, between unknown ones, and null counts as absent",
        arguments: [
            #"{"id":7,"name":"Nova é😀","rating":4.5,"kind":"spa","phone":null,"# + #"""
                "address":{"street":"Torstraße"},"tags":["a","b"],"is_open":true}
                """#,
            #"{"tags":["a","b"],"x":[{"id":1}],"address":{"x":1,"street":"Torstraße"},"is_open":true,"#
                + #""kind":"spa","rating":45e-1,"name":"Nova \u00e9😀","id":7.0,"y":{}}"#,
        ]
    )
    func members(text: String) throws {
        #expect(try root(text).decode() == Self.salon)
        let list = "[\(text),\(text)]"
        #expect(try root(list).decode([Salon].self) == [Self.salon, Self.salon])
    }

    @Test(
        "an error is a JSONError with the path of the value",
        arguments: [
            ("is_open", "1", "true or false"), ("id", "1.5", "an integer"),
            ("id", "\"7\"", "an integer"), ("name", "7", "a string"), ("rating", "{}", "a number"),
            ("address", "[]", "an object"), ("tags", "{}", "an array"), ("kind", "{}", "a string"),
            ("name", "null", "a string"), ("address", #"{"street":1}"#, "a string"),
        ]
    )
    func mismatches(key: String, value: String, expected: String) throws {
        var members = [
            "id": "7", "name": "\"x\"", "is_open": "true", "rating": "1", "kind": "\"spa\"",
            "tags": "[]",
        ]
        members[key] = value
        let text = members.map { "\"\($0)\":\($1)" }.joined(separator: ",")
        let path: JSONPath = value.contains("street") ? "[1].address.street" : "[1].\(key)"
        #expect(
            error([Salon?].self, "[null,{\(text)}]") == .mismatch(path: path, expected: expected)
        )
    }

    @Test("an absent member, an absent element, and a value that its type rejects are named")
    func absent() {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
                _ = try container.decode(Int.self)
            }
        }
        #expect(
            error([Salon.Address].self, "[{}]")
                == .mismatch(path: "[0].street", expected: "present")
        )
        #expect(
            error([String: Pair].self, #"{"a":[1]}"#)
                == .mismatch(path: "a[1]", expected: "present")
        )
        let rejected = error([Salon.Kind].self, #"["spa","bar"]"#)
        #expect(rejected?.description.hasPrefix("[1]: Cannot initialize Kind") == true)
    }

    @Test("an error of the type itself is rethrown")
    func ownError() {
        enum Refusal: Error { case always }
        struct Never: Decodable {
            init(from decoder: any Decoder) throws { throw Refusal.always }
        }
        #expect(throws: Refusal.always) { try root("[{}]").decode([Never].self) }
    }

    @Test("integers of every width are exact; one that does not fit is an error")
    func integers() throws {
        #expect(try root("[255,0,1e2]").decode([UInt8].self) == [255, 0, 100])
        #expect(try root("[-128,127]").decode([Int8].self) == [-128, 127])
        #expect(try root("[18446744073709551615]").decode([UInt64].self) == [.max])
        #expect(try root("[-9223372036854775808]").decode([Int64].self) == [.min])
        let expected = JSONError.mismatch(path: "[0]", expected: "an integer from 0 to 255")
        for text in ["[256]", "[-1]", "[0.5]", "[1e300]", "[true]"] {
            #expect(error([UInt8].self, text) == expected)
        }
    }

    @Test("numbers are the nearest ones; a number outside the range of Float is an error")
    func numbers() throws {
        #expect(try root("[0.1,1,-2e300]").decode([Double].self) == [0.1, 1, -2e300])
        #expect(try root("[0.1,1]").decode([Float].self) == [0.1, 1])
        #expect(
            error([Float].self, "[0,-1e39]")
                == .mismatch(path: "[1]", expected: "in the range of Float")
        )
    }

    @Test("dictionaries have keys that are strings, integers, or of a type that says so")
    func dictionaries() throws {
        enum Day: String, Decodable, CodingKeyRepresentable { case mon, tue }
        #expect(try root(#"{"b":1,"a":2}"#).decode([String: Int].self) == ["a": 2, "b": 1])
        #expect(try root(#"{"1":"x","-2":"y"}"#).decode([Int: String].self) == [1: "x", -2: "y"])
        #expect(try root(#"{"tue":[1]}"#).decode([Day: [Int]].self) == [.tue: [1]])
        #expect(error([Int: Int].self, #"{"a":1}"#) != nil)
        let large = (0..<1_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let decoded = try root("{\(large)}").decode([String: Int].self)
        #expect(decoded.count == 1_000 && decoded["k999"] == 999)
    }

    @Test("of a key that occurs twice, one value is decoded", arguments: [2, 40])
    func duplicateKeys(count: Int) throws {
        let members = (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",")
        let text = "{\(members),\"k0\":1,\"k1\":1}"
        let decoded = try root(text).decode([String: Int].self)
        #expect(decoded.count == count)
        struct Keys: Decodable {
            let count: Int
            init(from decoder: any Decoder) throws {
                count = try decoder.container(keyedBy: AnyKey.self).allKeys.count
            }
        }
        #expect(try root(text).decode(Keys.self).count == count)
    }

    @Test("nested containers can be read in turn, and values decoded repeatedly")
    func nestedContainers() throws {
        struct Reader: Decodable {
            var values: [Int] = []
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                let a = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
                let b = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "b")
                for key in ["y", "x", "x"] as [AnyKey] {
                    values.append(try a.decode(Int.self, forKey: key))
                    values.append(try b.decode(Int.self, forKey: key))
                }
                var list = try container.nestedUnkeyedContainer(forKey: "list")
                #expect(list.count == 4 && list.currentIndex == 0)
                let isNull = try list.decodeNil()
                #expect(isNull && list.currentIndex == 1)
                let isNotNull = try !list.decodeNil()
                #expect(isNotNull && (try? list.decode(String.self)) == nil)
                values.append(try list.decode(Int.self))
                var inner = try list.nestedUnkeyedContainer()
                values.append(try inner.decode(Int.self))
                #expect(inner.isAtEnd && !list.isAtEnd)
                let object = try list.nestedContainer(keyedBy: AnyKey.self)
                #expect(object.codingPath.map(\.stringValue) == ["list", "Index 3"])
                #expect(object.codingPath.last?.intValue == 3 && list.isAtEnd)
                let hasNull = try object.contains("n") && object.decodeNil(forKey: "n")
                #expect(hasNull && !object.contains("m"))
                #expect(throws: JSONError.self) { try object.decodeNil(forKey: "m") }
                #expect(try object.decodeIfPresent(Int8.self, forKey: "n") == nil)
            }
        }
        let text = #"{"a":{"x":1,"y":2},"list":[null,5,[6],{"n":null}],"b":{"x":3,"y":4}}"#
        #expect(try root(text).decode(Reader.self).values == [2, 4, 1, 3, 1, 3, 5, 6])
    }

    @Test("a class can decode its superclass from the member super or from itself")
    func superclasses() throws {
        class Base: Decodable { let id: Int }
        final class Nested: Base {
            let name: String
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                name = try container.decode(String.self, forKey: "name")
                try super.init(from: container.superDecoder())
            }
        }
        final class Flat: Base {
            let name: String
            required init(from decoder: any Decoder) throws {
                name = try decoder.container(keyedBy: AnyKey.self)
                    .decode(String.self, forKey: "name")
                try super.init(from: decoder)
            }
        }
        let nested = try root(#"{"super":{"id":1},"name":"x"}"#).decode(Nested.self)
        #expect(nested.id == 1 && nested.name == "x")
        #expect(try root(#"{"id":2,"name":"y"}"#).decode(Flat.self).id == 2)
        #expect(
            error(Nested.self, #"{"name":"x"}"#) == .mismatch(path: "super", expected: "present")
        )
    }

    @Test("a part of a document is decoded, and paths begin at its top level")
    func part() throws {
        let list = try root(#"{"list":[{"street":"a"},{"street":1}]}"#).object().required("list")
        let first = try #require(Array(list.array()).first)
        #expect(try first.decode(Salon.Address.self).street == "a")
        do {
            _ = try list.decode([Salon.Address].self)
            Issue.record("a number was decoded as a string")
        } catch {
            let expected = JSONError.mismatch(path: "list[1].street", expected: "a string")
            #expect(error as? JSONError == expected)
        }
    }
}

/// A key with any name.
struct AnyKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    init(stringLiteral name: String) { stringValue = name }
}
