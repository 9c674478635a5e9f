import Domain
import JSON
import JSONRPC
import Testing

@testable import NovaBlendMethods

@Suite("The program's errors")
struct ProgramErrorTests {
    @Test("each name has its own code, and each code its own name")
    func codes() {
        #expect(Set(ProgramError.allCases.map(\.code)).count == ProgramError.allCases.count)
    }

    @Test("a cache, a file, and the journal that cannot be written are three errors")
    func writing() throws {
        let cache = RPCError(CacheError(.insertion, reason: "r"))
        let file = RPCError(FileTarget.Failure.failed("r"))
        let journal = RPCError(BookingError.journal(reason: "r"))
        #expect([cache, file, journal].map(\.code) == [1_103, 1_104, 1_105])
        let names = try [cache, file, journal].map { error in
            let data = try #require(error.data)
            return try JSONDocument(parsing: data.bytes).root.object().required("name").string()
        }
        #expect(names == ["cacheInsertion", "fileNotWritten", "journalUnavailable"])
    }

    @Test("a path that may not be written is an invalid parameter, not a failed write")
    func refusedPath() {
        #expect(RPCError(FileTarget.Failure.refused("r")).code == -32_602)
    }
}
