import JSON
import Testing

@Suite("Writing JSON")
struct JSONWritingTests {
    private func text(_ build: (inout JSONWriter) -> Void) -> String {
        JSONFragment(build).description
    }

    @Test("members and elements of all kinds are separated by commas")
    func commas() {
        let written = text { writer in
            writer.object { writer in
                writer.member("s", "x")
                writer.member("absent", String?.none)
                writer.member("i", -7)
                writer.array("list") { writer in
                    writer.null()
                    writer.object { _ in }
                    writer.array { _ in }
                    writer.bool(false)
                    writer.number(1.5)
                }
                writer.member("raw", JSONFragment(trusted: Array("{\"k\":1}".utf8)))
            }
        }
        #expect(written == #"{"s":"x","i":-7,"list":[null,{},[],false,1.5],"raw":{"k":1}}"#)
    }

    @Test("members of all kinds are written; nil is omitted")
    func members() {
        let written = text { writer in
            writer.object { writer in
                writer.member("yes", true)
                writer.member("no", false)
                writer.member("text", String?.some("x"))
                writer.member("number", Int?.some(7))
                writer.member("absent", Int?.none)
                writer.member("list", ["a", "b"])
                writer.member(named: "name", JSONFragment { $0.bool(true) })
                writer.member("half", 0.5)
                writer.member("whole", Double?.some(2))
                writer.member("absent", Double?.none)
                writer.member("maybe", Bool?.some(false))
                writer.member("absent", Bool?.none)
                writer.member("encoded", JSONFragment?.some(.emptyObject))
                writer.member("absent", JSONFragment?.none)
                writer.member("object", ObjectFragment.empty)
                writer.member("object2", ObjectFragment?.some(.empty))
                writer.member("absent", ObjectFragment?.none)
                writer.member("last", 1)
            }
        }
        #expect(
            written
                == #"{"yes":true,"no":false,"text":"x","number":7,"list":["a","b"],"name":true,"#
                + #""half":0.5,"whole":2.0,"maybe":false,"encoded":{},"#
                + #""object":{},"object2":{},"last":1}"#
        )
    }

    @Test("members whose keys are known only at run time are written")
    func dynamicKeys() {
        let written = text { writer in
            writer.object { writer in
                for (number, key) in ["a", "\"b\"", ""].enumerated() {
                    writer.member(named: key + "s", "x")
                    writer.member(named: key + "i", number)
                    writer.member(named: key + "n", Double(number))
                    writer.member(named: key + "b", number == 0)
                    writer.member(named: key + "f", JSONFragment.null)
                }
            }
        }
        #expect(
            written
                == #"{"as":"x","ai":0,"an":0.0,"ab":true,"af":null,"#
                + #""\"b\"s":"x","\"b\"i":1,"\"b\"n":1.0,"\"b\"b":false,"\"b\"f":null,"#
                + #""s":"x","i":2,"n":2.0,"b":false,"f":null}"#
        )
    }

    @Test("control characters, quotes, and backslashes are escaped and round-trip")
    func escapes() throws {
        let all = String(String.UnicodeScalarView((0...0x7F).compactMap(Unicode.Scalar.init)))
        let bytes = JSONFragment { $0.string(all + "é😀") }.bytes
        #expect(try JSONDocument(parsing: bytes).root.string() == all + "é😀")
        #expect(text { $0.string("a\"b\\c\u{1f}\n") } == #""a\"b\\c\u001f\n""#)
    }

    @Test(
        "hundredths are written with two decimals",
        arguments: [
            (930, "9.30"), (0, "0.00"), (5, "0.05"), (-905, "-9.05"), (2_359, "23.59"),
            (Int.min, "-92233720368547758.08"),
        ]
    )
    func hundredths(value: Int, expected: String) {
        #expect(text { $0.number(hundredths: value) } == expected)
    }

    @Test("integers of every width are written with all digits")
    func integers() {
        #expect(text { $0.integer(Int.min) } == "-9223372036854775808")
        #expect(text { $0.integer(UInt64.max) } == "18446744073709551615")
        #expect(text { $0.integer(Int8.min) } == "-128")
        #expect(text { $0.integer(Int128.min) } == "\(Int128.min)")
        for number in [0, 7, 10, 99, 100, -1, -10] {
            #expect(text { $0.integer(number) } == "\(number)")
        }
    }

    @Test(
        "numbers round-trip; numbers that JSON cannot represent become null",
        arguments: [
            0.1, 1e300, -2.2250738585072014e-308, 1.7976931348623157e308, 100, 1e16,
        ]
    )
    func numbers(value: Double) throws {
        let bytes = JSONFragment { $0.number(value) }.bytes
        #expect(try JSONDocument(parsing: bytes).root.number() == value)
        #expect(text { $0.number(.nan) } == "null")
        #expect(text { $0.number(-.infinity) } == "null")
    }

    @Test("a parsed value is written again without loss")
    func rewritten() throws {
        let source = #"{"a":[1,18446744073709551615,-3,1.25,true,null,"é\n"],"b":{"c":{}}}"#
        let root = try JSONDocument(parsing: Array(source.utf8)).root
        #expect(text { $0.value(root) } == source)
        #expect("\(root)" == source)
    }

    @Test(
        "a member is added to objects only",
        arguments: [
            ("{}", #"{"a":1}"#), (#"{"b":2}"#, #"{"b":2,"a":1}"#), ("{ }", #"{ "a":1}"#),
            (#"{"b":{}}"#, #"{"b":{},"a":1}"#), ("[{}]", "[{}]"), ("\"}\"", "\"}\""), ("", ""),
        ]
    )
    func addingMember(object: String, expected: String) {
        let one = JSONFragment { $0.integer(1) }
        let fragment = JSONFragment(trusted: Array(object.utf8))
        #expect(fragment.addingMember("a", one).description == expected)
    }

    @Test("a value is written directly into the buffer, between other values")
    func directValue() {
        let fragment = JSONFragment { writer in
            writer.array { writer in
                for length in [1, 3, 2_000] {
                    writer.raw(upTo: 2_000) { buffer in
                        buffer[..<length].update(repeating: UInt8(ascii: "7"))
                        return length
                    }
                }
            }
        }
        let long = String(repeating: "7", count: 2_000)
        #expect(fragment.description == "[7,777,\(long)]")
    }
}
