import Contract
import Domain
import JSON
import Testing

@Suite("An encoded list")
struct EncodedListTests {
    private typealias Bytes = EncodedListCodec<SalonListCodec>

    private static let id = "1F0A6C0E-5B7C-4D8E-9A55-0C5B3E8A4D01"
    private static let hours = #""open_time": 9.3, "close_time": 22.30"#
    private static let elements = [
        #"{"id":"\#(id)","name":"a","location":"b","phone":"c",\#(hours)}"#,
        #"{"id":"\#(id)","name":"a","location":"b",\#(hours)}"#,
        #"{"id":"\#(id)","name":"a","location":"b","phone":null,\#(hours)}"#,
        #"{\#(hours), "location":"b\u00e9\n\"","name":"ä😀","id":"\#(id)"}"#,
        #"{"id":"\#(id)","name":"a","location":"b","rating":5,\#(hours)}"#,
        #"{"id":"\#(id)","name":"a","name":"z","location":"b",\#(hours)}"#,
        #"{"id":"\#(id)","name":"a","name":"z","location":"b","phone":"c",\#(hours)}"#,
        #"{"id":"\#(id)","name":"a","location":"b",\#(hours),"time_zone":"Europe/Paris"}"#,
        #"{"id":"\#(id)","name":"a","location":"b",\#(hours),"exceptions":[]}"#,
        #"{"id":"\#(id)","version":3,"name":"a","location":"b",\#(hours)}"#,
    ]
    private static let wrong = [
        "7", "{}", #"{"id":"\#(id)","name":"a","location":"b","open_time":9.3}"#,
        #"{"id":"x","name":"a","location":"b",\#(hours)}"#,
        #"{"id":"\#(id)","name":1,"location":"b",\#(hours)}"#,
        #"{"id":"\#(id)","name":1,\#(hours)}"#,
        #"{"id":"\#(id)","name":"a","location":null,\#(hours)}"#,
        #"{"id":"\#(id)","name":"a","location":"b","phone":[],\#(hours)}"#,
        #"{"id":"\#(id)","name":"a","location":"b","open_time":9.75,"close_time":1}"#,
        #"{"id":"\#(id)","name":"a","location":"b","open_time":9,"close_time":"1"}"#,
        #"{"id":"\#(id)","name":"a","rating":5,"stars":1,"town":2}"#,
        #"{"id":"\#(id)","name":"a","location":"b",\#(hours),"slot_minutes":0}"#,
        #"{"id":"\#(id)","name":"a","location":"b",\#(hours),"version":"3"}"#,
    ]

    private func list(_ elements: [String]) -> [UInt8] {
        Array("{\"salons\": [\(elements.joined(separator: " , "))]}".utf8)
    }

    @Test("has the bytes that its codec writes, and its number of elements", arguments: elements)
    func sameBytes(element: String) throws {
        for elements in [[], [element], [element, element, Self.elements[0]]] {
            let models = try SalonListCodec.decode(list(elements))
            let encoded = try Bytes.decode(list(elements))
            #expect(encoded.bytes == SalonListCodec.encode(models))
            #expect(encoded.count == elements.count)
            #expect(encoded == EncodedList(models))
            #expect(try encoded.models() == models)
            #expect(Bytes.encode(encoded) == encoded.bytes)
            #expect(JSONFragment { Bytes.write(encoded, to: &$0) }.bytes == encoded.bytes)
        }
    }

    @Test("is rejected with the same error as its codec throws", arguments: wrong)
    func sameErrors(element: String) {
        let bytes = list([Self.elements[0], element])
        do throws(JSONError) {
            _ = try SalonListCodec.decode(bytes)
            Issue.record("it was read")
        } catch {
            #expect(throws: error) { try Bytes.decode(bytes) }
        }
    }

    @Test("returns its elements, and the array without the object")
    func parts() throws {
        let encoded = try Bytes.decode(list(Self.elements))
        let elements = try encoded.elements()
        #expect(try elements.map(SalonCodec.read) == encoded.models())
        #expect(elements.count == encoded.count)
        #expect(
            "{\"salons\":" + String(decoding: encoded.array, as: UTF8.self) + "}"
                == String(decoding: encoded.bytes, as: UTF8.self)
        )
    }

    @Test("returns the numbers of the elements that a function selects")
    func selectedNumbers() throws {
        let encoded = try Bytes.decode(list(Self.elements))
        #expect(Array(encoded.numbers) == Array(Self.elements.indices))
        #expect(encoded.numbers { _ in true } == Array(Self.elements.indices))
        let selected = encoded.numbers { Array($0) == Array(encoded[3]) }
        #expect(selected == [3])
    }

    @Test("is restored if it is empty, but not from fewer bytes")
    func empty() throws {
        let encoded = try Bytes.decode(list([]))
        let stamp = try #require(Bytes.validationStamp(of: encoded))
        #expect(Bytes.restore(encoded.bytes, validationStamp: stamp) == encoded)
        #expect(Bytes.restore(Array(encoded.bytes.dropLast()), validationStamp: stamp) == nil)
    }

    @Test("can be decoded even if it is longer than the default limit")
    func long() throws {
        let space = [UInt8](repeating: 0x20, count: JSONLimits().maximumBytes)
        let bytes = Array(#"{"salons":["#.utf8) + space + Array("]}".utf8)
        let restored = try #require(Bytes.restore(bytes, validationStamp: "2:salons:0"))
        #expect(try restored.models().isEmpty)
    }

    @Test("is restored with its stamp, and with no other")
    func stamp() throws {
        let encoded = try Bytes.decode(list(Self.elements))
        let stamp = try #require(Bytes.validationStamp(of: encoded))
        #expect(Bytes.restore(encoded.bytes, validationStamp: stamp) == encoded)
        for other in ["", "9", "1:salons:9", "2:appointments:9", "2:salons:", "2:salons:-1"] {
            #expect(Bytes.restore(encoded.bytes, validationStamp: other) == nil, "\(other)")
        }
        #expect(Bytes.restore(Array("{}".utf8), validationStamp: stamp) == nil)
        #expect(SalonListCodec.validationStamp(of: []) == nil)
    }
}

extension EncodedList {
    /// The elements as JSON.
    fileprivate func elements() throws(JSONError) -> [JSONValue] {
        let document = try JSONDocument(parsing: bytes)
        return Array(try document.root.object().required(Codec.key).array())
    }
}
