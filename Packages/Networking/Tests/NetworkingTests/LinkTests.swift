import Networking
import Testing

@Suite("Links", .timeLimit(.minutes(10)))
struct LinkTests {
    private func links(_ fields: String...) -> HTTPLinks {
        var headers = HTTPHeaders()
        for field in fields { headers.add("link", field) }
        return HTTPLinks(headers)
    }

    @Test(
        "A link has a relation, written in any valid way",
        arguments: [
            #"</2>; rel="next""#, "</2>;rel=next", "</2> ; rel = next", #"</2>;REL="NEXT""#,
            #"</2>; rel="prefetch next""#, "</2>; rel=\"a\tnext  b\"", #"</2>; rel="n\ext""#,
            #"</2>; rel="next"; rel="prev""#, #"</2>;;; rel=next;"#, ",, </2>; rel=next ,",
            #"</2>; title="a, b; </3>; rel=prev"; rel=next"#, #"</2>; title="\"\\"; rel=next"#,
            "</2>; crossorigin; rel=next", "</2>; type=application/json; rel=next",
            "</2>; title*=UTF-8''%e2%82%ac; rel=next", #"</2>; x=""; rel=next"#,
        ]
    )
    func relation(field: String) {
        let links = links(field)
        #expect(links.target("next") == "/2" && !links.areMalformed)
        #expect(links.all.count == 1)
    }

    @Test("A field may have several links, and a response several fields")
    func several() {
        let links = links("<a,b>; rel=prev, <c;d>; rel=next", "<e>; rel=next", "<f>;rel=Last")
        #expect(links.all.map(\.target) == ["a,b", "c;d", "e", "f"])
        #expect(links.target("next") == "c;d" && links.target("LAST") == "f")
        #expect(links.target("first") == nil && !links.areMalformed)
        #expect(links.all.map(\.relations) == [["prev"], ["next"], ["next"], ["last"]])
    }

    @Test("A link with an anchor has a different context, so it is not found")
    func anchor() {
        let links = links(#"<a>; rel=next; anchor="/other""#, #"<b>; anchor=""; rel=next"#)
        #expect(links.target("next") == nil && !links.areMalformed)
        #expect(links.all.map(\.anchor) == ["/other", ""])
    }

    @Test(
        "Other relations and other parameters do not count",
        arguments: [
            "<a>", "<a>; rel", "<a>; rev=next", "<a>; title=next", #"<a>; rel="nextpage""#,
            #"<a>; rel="prev"; rel="next""#, #"<a>; title="x; rel=next""#, "<a>; rel*=next",
        ]
    )
    func other(field: String) {
        let links = links(field)
        #expect(links.target("next") == nil && links.all.count == 1 && !links.areMalformed)
    }

    @Test(
        "A broken link is ignored",
        arguments: [
            "a; rel=next", "<a; rel=next", "<a>> ; rel=next", "<a> rel=next", "<a>; rel=",
            #"<a>; rel="next"#, #"<a>; rel="next\"#, #"<a>; rel="next"x"#, "<a>; =next",
            "<a b>; rel=next",
            #"<a"b>; rel=next"#, "<<a>; rel=next", #"<a>; rel=next""#, "<a>; rel=next prev",
        ]
    )
    func broken(field: String) {
        let links = links(field)
        #expect(links.target("next") == nil && links.areMalformed)
    }

    @Test(
        "A broken link hides neither the links around it nor other fields",
        arguments: [
            "broken", #""a, b""#, "<a", "<a b, c>; rel=next", "<a> x <b, c>", #"<a>; t="b, c" d"#,
        ]
    )
    func surrounded(field: String) {
        let links = links(
            "<first>; rel=first, \(field)",
            "\(field), <second>; rel=second",
            "<third>; rel=third"
        )
        #expect(links.target("first") == "first" && links.target("third") == "third")
        // Without the closing bracket, the rest of the field is part of the broken target.
        #expect(links.target("second") == (field == "<a" ? nil : "second"))
    }

    @Test("Every sequence of special characters is parsed, and hides no other field")
    func anyField() {
        let alphabet = Array("<>;,=\" \\a".utf8)
        for length in 0...4 {
            var digits = [Int](repeating: 0, count: length)
            repeat {
                let field = String(decoding: digits.map { alphabet[$0] }, as: UTF8.self)
                let found = links(field, "</2>; rel=next")
                #expect(found.target("next") == "/2", "\(field)")
                let isValid = found.all.allSatisfy {
                    $0.target.allSatisfy { !"<>\" ".contains($0) }
                }
                #expect(isValid, "\(field)")
            } while Self.advance(&digits, base: alphabet.count)
        }
    }

    /// Adds one to a number in `base`; false if it was the largest one.
    private static func advance(_ digits: inout [Int], base: Int) -> Bool {
        for index in digits.indices {
            digits[index] = (digits[index] + 1) % base
            if digits[index] != 0 { return true }
        }
        return false
    }

    @Test("A response without the field has no links")
    func none() {
        #expect(HTTPLinks(["Linked": "<a>; rel=next"]).all.isEmpty)
        #expect(links("", " , ").all.isEmpty && !links("", " , ").areMalformed)
    }
}
