import FuzzTargets
import Testing

/// Every input that is kept, through the function that it is for.
///
/// Each runs in a process of its own, so that one that fails is named and the others still run.
@Suite("Kept inputs", .timeLimit(.minutes(5)))
struct ReplayTests {
    @Test("framing finds the same however the bytes are cut", arguments: Kept.inputs(of: "framing"))
    func framing(path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            try Kept.bytes(at: path).withUnsafeBytes { fuzzFraming($0) }
        }
    }

    @Test("JSON reads back as it was written", arguments: Kept.inputs(of: "json"))
    func json(path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            try Kept.bytes(at: path).withUnsafeBytes { fuzzJSON($0) }
        }
    }

    @Test("models read back as they were written", arguments: Kept.inputs(of: "contract"))
    func contract(path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            try Kept.bytes(at: path).withUnsafeBytes { fuzzContract($0) }
        }
    }

    @Test(
        "no folder of inputs is missing or empty",
        arguments: Kept.folders,
        ["framing", "json", "contract"]
    )
    func folders(folder: String, target: String) throws {
        #expect(try !Kept.names(in: folder, of: target).isEmpty)
    }
}
