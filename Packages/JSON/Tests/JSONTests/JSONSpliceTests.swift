import JSON
import Testing

@Suite("Splicing encoded bytes")
struct JSONSpliceTests {
    private func array(of count: Int) -> [UInt8] {
        JSONFragment { writer in
            writer.array { writer in
                for number in 0..<count { writer.integer(number) }
            }
        }.bytes
    }

    private func text(_ value: [UInt8], _ write: (inout JSONWriter, [UInt8]) -> Void) -> [UInt8] {
        let inner = JSONFragment.object { writer in
            writer.member("before", 1)
            writer.key("one")
            write(&writer, value)
            writer.key("two")
            write(&writer, value)
            writer.member("after", "x")
        }
        let whole = JSONFragment { writer in
            writer.array { writer in
                writer.null()
                writer.raw(inner)
                writer.raw(inner)
                writer.bool(true)
            }
        }
        #expect(chunks(of: whole).flatMap(\.self) == whole.bytes)
        #expect(whole.count == whole.bytes.count)
        let enclosed = whole.enclosed(by: Array("[1,".utf8), Array(",2]".utf8))
        #expect(enclosed.bytes == Array("[1,".utf8) + whole.bytes + Array(",2]".utf8))
        return whole.bytes
    }

    private func chunks(of fragment: JSONFragment) -> [ArraySlice<UInt8>] {
        var chunks: [ArraySlice<UInt8>] = []
        fragment.forEachChunk { chunks.append($0) }
        return chunks
    }

    @Test("produces the same bytes as copying, even if nested", arguments: [0, 3, 20_000])
    func sameAsCopying(count: Int) {
        let value = array(of: count)
        let spliced = text(value) { $0.splice($1[...]) }
        #expect(spliced == text(value) { $0.raw($1) })
    }

    @Test("shares large values and copies small ones")
    func shares() {
        let (small, large) = (array(of: 3), array(of: 20_000))
        func object(_ value: [UInt8]) -> JSONFragment {
            JSONFragment.object { writer in
                writer.key("k")
                writer.splice(value[...])
            }
        }
        #expect(chunks(of: object(small)).count == 1)
        let shared = chunks(of: object(large))
        #expect(shared.count == 3)
        let isShared = large.withUnsafeBytes { whole in
            shared[1].withUnsafeBytes { $0.baseAddress == whole.baseAddress }
        }
        #expect(isShared)
    }

    @Test("shares values of at least 16 KiB", arguments: [(16 << 10, 3), ((16 << 10) - 1, 1)])
    func threshold(count: Int, chunkCount: Int) {
        let quote = UInt8(ascii: "\"")
        let value = [quote] + [UInt8](repeating: 0x61, count: count - 2) + [quote]
        let fragment = JSONFragment { $0.array { $0.splice(value[...]) } }
        #expect(chunks(of: fragment).count == chunkCount)
    }

    @Test("does not affect equality or hashing")
    func equality() {
        let value = array(of: 20_000)
        let spliced = JSONFragment { $0.splice(value[...]) }
        let copied = JSONFragment(trusted: value)
        #expect(spliced == copied)
        #expect(Set([spliced, copied]).count == 1)
        #expect(spliced != JSONFragment(trusted: array(of: 19_999)))
    }
}
