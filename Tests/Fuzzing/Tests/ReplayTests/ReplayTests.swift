import FuzzTargets
import Testing

/// Passes every saved input to its fuzz target.
///
/// Each input runs in a separate process, so that a failure names its input and the others still run.
@Suite("Saved inputs", .timeLimit(.minutes(10)))
struct ReplayTests {
    @Test(
        "framing finds the same messages however the stream is split",
        arguments: SavedInputs.paths(of: "framing")
    )
    func framing(path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            try SavedInputs.bytes(at: path).withUnsafeBytes { fuzzFraming($0) }
        }
    }

    @Test("JSON is read back as it was written", arguments: SavedInputs.paths(of: "json"))
    func json(path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            try SavedInputs.bytes(at: path).withUnsafeBytes { fuzzJSON($0) }
        }
    }

    @Test("models are read back as they were written", arguments: SavedInputs.paths(of: "contract"))
    func contract(path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            try SavedInputs.bytes(at: path).withUnsafeBytes { fuzzContract($0) }
        }
    }

    @Test(
        "no directory of inputs is missing or empty",
        arguments: SavedInputs.directories,
        ["framing", "json", "contract"]
    )
    func directories(directory: String, target: String) throws {
        #expect(try !SavedInputs.names(in: directory, of: target).isEmpty)
    }
}
