import Persistence
import Testing

@Suite("The description of a store error")
struct StoreErrorTests {
    @Test(
        "says what to do about a damaged file",
        arguments: [
            ("a.snapshot", "replacing or removing it quarantines it"),
            ("a.journal", "restore it or move it away"),
        ]
    )
    func damaged(path: String, advice: String) {
        let error = StoreError(.load, path: path, .damaged("truncated"))
        #expect(
            error.description == "cannot load \(path): the file is damaged (truncated); \(advice)"
        )
    }
}
